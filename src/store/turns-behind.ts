import type { SessionId, TurnId } from '../domain/ids.ts'
import { field, listOf } from './json.ts'
import type { Db } from './store.ts'

/**
 * The turns whose words a turn goes by: its own, those that set the alarms that it has read, those that it was told to
 * continue or to answer anew, and those behind them.
 */
export async function turnsBehind(db: Db, { session, turn }: { session: SessionId; turn: TurnId }): Promise<TurnId[]> {
  const earlier = field('inbox.payload', '$.turn')
  const rows = await db
    .withRecursive('behind(id)', (all) =>
      all
        .selectFrom('turns')
        .select('turns.id')
        .where('turns.id', '=', turn)
        .union((some) =>
          some
            .selectFrom('behind')
            .innerJoin('inbox', 'inbox.turn_id', 'behind.id')
            .select(earlier.$castTo<TurnId>().as('id'))
            .where('inbox.session_id', '=', session)
            .where('inbox.kind', 'in', ['alarm', 'resume'])
            .where(earlier, 'is not', null),
        ),
    )
    .selectFrom('behind')
    .select('id')
    .execute()
  return [...new Set([turn, ...rows.map(({ id }) => id)])]
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
