import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** The prompt sections each session's model was last told. Null for older sessions, where that isn't known. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await sql.raw(`alter table prompts add column sections ${text}`).execute(db)
}
