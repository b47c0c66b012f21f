import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Whether a session only looks and plans. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await sql.raw(`alter table sessions add column mode ${text} check (mode in ('plan'))`).execute(db)
}
