import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ int }: Columns) => [
  `alter table turns add column deaths ${int} not null default 0`,
  // The holder was told to stop, so its end says nothing about its turns.
  `alter table locks add column leaving ${int} not null default 0`,
]

/** Turns that crash the process. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
