import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  `create table session_skills (
    session_id ${text} not null references sessions(id),
    skill ${text} not null,
    place ${int} not null,
    primary key (session_id, skill)
  )${strict}`,
  // A row is never changed: the one with the highest version counts, and going back adds another.
  `create table skills (
    platform ${text} not null, tenant ${text} not null, project ${text} not null,
    name ${text} not null,
    version ${int} not null,
    state ${text} not null check (state in ('on', 'off', 'removed')),
    hash ${text} not null,
    person ${text} not null,
    created_at ${int} not null,
    primary key (platform, tenant, project, name, version)
  )${strict}`,
]

/** The skills of teams, and those loaded into threads. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
