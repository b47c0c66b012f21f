import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Which process is posting a message right now. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await sql.raw(`alter table postings add column holder ${text}`).execute(db)
}
