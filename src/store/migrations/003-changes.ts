import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  `create table changes (
    session_id ${text} not null references sessions(id),
    turn_id ${text} not null references turns(id),
    path ${text} not null,
    number ${int} not null,
    change ${text} not null check (change in ('added', 'changed', 'removed')),
    size ${int} not null check (size >= 0),
    modified_at ${int} not null,
    at ${int} not null,
    primary key (session_id, turn_id, path)
  )${strict}`,
  'create unique index changes_in_order on changes (session_id, number)',
  'create index changes_by_path on changes (session_id, path, number)',
]

/** Which turn changed which file of a workspace. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
