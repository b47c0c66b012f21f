import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Which of several processes has taken a wake. */
export async function up(db: Kysely<unknown>, { text, int, byKey }: Columns): Promise<void> {
  await sql
    .raw(`create table wakes (job ${text} primary key, attempt ${int} not null, holder ${text} not null)${byKey}`)
    .execute(db)
}
