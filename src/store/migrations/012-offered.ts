import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** The tools each session's model was offered, in order. Null for older sessions. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await sql.raw(`alter table prompts add column tools ${text}`).execute(db)
}
