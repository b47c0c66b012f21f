import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  // `nanos` are billionths of a US dollar. A reserved row is a call under way, with what it may cost at most.
  `create table usage (
    id ${text} primary key,
    session_id ${text} not null,
    turn_id ${text} not null,
    platform ${text} not null, tenant ${text} not null, project ${text} not null,
    person_id ${text} not null, person ${text} not null,
    slot ${text} not null, model ${text} not null, tools ${text} not null,
    tokens_in ${int} not null, tokens_cached ${int} not null, tokens_written ${int} not null,
    tokens_out ${int} not null, tokens_reasoning ${int} not null,
    nanos ${int} not null,
    state ${text} not null check (state in ('reserved', 'settled', 'lost')),
    day ${text} not null,
    at ${int} not null
  )${strict}`,
  'create index usage_by_day on usage (day)',
  'create index usage_by_session on usage (session_id, turn_id)',
]

/** What model calls cost. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
