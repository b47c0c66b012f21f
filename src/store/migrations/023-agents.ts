import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  `alter table sessions add column agents ${text}`,
  // A run begins when an agent takes over in a turn; '' is the bot itself. It ends with the next one, or with the turn.
  `create table agent_runs (
    turn_id ${text} not null,
    place ${int} not null,
    session_id ${text} not null,
    agent ${text} not null,
    version ${text} not null,
    started_at ${int} not null,
    primary key (turn_id, place)
  )${strict}`,
  'create index agent_runs_by_time on agent_runs (started_at)',
]

/** Which agent has a thread, and what agents have done. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
