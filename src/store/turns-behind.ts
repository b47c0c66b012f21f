import type { SessionId, TurnId } from '../domain/ids.ts'
import { field, listOf } from './json.ts'
import type { Db } from './store.ts'

/**
 * The turns whose words a turn goes by: its own, those that set the alarms that it has read, those that it was told to
 * continue or to answer anew, and those behind them.
 */
export async function turnsBehind(db: Db, { session, turn }: { session: SessionId; turn: TurnId }): Promise<TurnId[]> {
  const before = field('payload', '$.turn').$castTo<TurnId>()
  // All of the session's: an alarm may have set the next one thousands of times.
  const rows = await db
    .selectFrom('inbox')
    .select(['turn_id', before.as('before')])
    .where('session_id', '=', session)
    .where('kind', 'in', ['alarm', 'resume'])
    .where('turn_id', 'is not', null)
    .where(before, 'is not', null)
    .execute()
  const readBy = Map.groupBy(rows, ({ turn_id }) => turn_id)
  const behind = new Set([turn])
  // Those that are added meanwhile get their turn as well.
  for (const one of behind) for (const row of readBy.get(one) ?? []) behind.add(row.before)
  return [...behind]
}

/** The turns that a `reset` made a session forget, up to the last of these among them. */
export async function turnsForgottenWith(db: Db, session: SessionId, turns: TurnId[]): Promise<TurnId[]> {
  const rows = await db
    .selectFrom('messages')
    .select('turn_id')
    .distinct()
    .where('session_id', '=', session)
    .where('seq', '<=', ({ selectFrom }) =>
      selectFrom('messages as theirs')
        .innerJoin('sessions', 'sessions.id', 'theirs.session_id')
        .select(({ fn }) => fn.max('theirs.seq').as('last'))
        .where('theirs.session_id', '=', session)
        .where('theirs.turn_id', 'in', listOf(turns))
        .whereRef('theirs.seq', '<', 'sessions.history_from'),
    )
    .execute()
  return rows.map(({ turn_id }) => turn_id)
}
