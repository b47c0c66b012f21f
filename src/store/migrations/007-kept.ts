import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int }: Columns) => [
  // Which configured model answers; null means base.
  `alter table sessions add column model ${text}`,
  `alter table sessions add column deleted_at ${int}`,
  // Where a deleted session was, since its thread may get a new one.
  `alter table sessions add column was_thread ${text}`,
]

/** Models that people chose, and threads that they deleted. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
