import { type Kysely, sql } from 'kysely'

/** What a turn looks for in tables of years: the thread of a deleted session, and the answers of a turn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'create index sessions_by_former_thread on sessions (was_thread) where was_thread is not null',
    "create index answers_by_turn on outbox (turn_id) where kind = 'answer'",
  ]) {
    await sql.raw(statement).execute(db)
  }
}
