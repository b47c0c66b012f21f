import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** What a turn asked people, and a session's alarms, are found without reading those of all sessions. */
export async function up(db: Kysely<unknown>, _: Columns): Promise<void> {
  for (const statement of [
    'create index requests_by_turn on requests (session_id, turn_id)',
    'create index alarms_by_session on alarms (session_id)',
  ])
    await sql.raw(statement).execute(db)
}
