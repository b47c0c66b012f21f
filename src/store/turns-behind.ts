import type { SessionId, TurnId } from '../domain/ids.ts'
import { field } from './json.ts'
import type { Db } from './store.ts'

/**
 * The turns that a turn acts for: itself, those that set the alarms that it has read, those that it was told to
 * continue or to answer anew, and those behind them.
 */
export const turnsBehind = (db: Db, of: TurnOf): Promise<TurnId[]> => behind(db, of, ['alarm', 'resume'])

/** A turn, those that it was told to continue or to answer anew, and those that these continued. */
export const turnsContinued = (db: Db, of: TurnOf): Promise<TurnId[]> => behind(db, of, ['resume'])

/** The same without turns whose message is answered anew. */
export const turnsResumed = (db: Db, of: TurnOf): Promise<TurnId[]> => behind(db, of, ['resume'], { again: false })

type TurnOf = { session: SessionId; turn: TurnId }

async function behind(
  db: Db,
  { session, turn }: TurnOf,
  kinds: ('alarm' | 'resume')[],
  { again }: { again: boolean } = { again: true },
): Promise<TurnId[]> {
  const before = field('payload', '$.turn').$castTo<TurnId>()
  // All of the session's: an alarm may have set the next one thousands of times.
  let query = db
    .selectFrom('inbox')
    .select(['turn_id', before.as('before')])
    .where('session_id', '=', session)
    .where('kind', 'in', kinds)
    .where('turn_id', 'is not', null)
    .where(before, 'is not', null)
  if (!again) query = query.where(field('payload', '$.again'), 'is', null)
  const rows = await query.execute()
  const readBy = Map.groupBy(rows, ({ turn_id }) => turn_id)
  const turns = new Set([turn])
  // Those that are added meanwhile get their turn as well.
  for (const one of turns) for (const row of readBy.get(one) ?? []) turns.add(row.before)
  return [...turns]
}

/**
 * The turns that a `reset` made a session forget, up to the last of these among them. What an earlier `reset` had made
 * it forget before one of these isn't known to that one.
 */
export async function turnsForgottenWith(db: Db, session: SessionId, turns: TurnId[]): Promise<TurnId[]> {
  const forgotten = await db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .select(({ fn }) => ['turn_id', fn.max('seq').as('last')])
    .where('session_id', '=', session)
    .whereRef('seq', '<', 'history_from')
    .groupBy('turn_id')
    .execute()
  const ofTurns = new Set(turns)
  if (!forgotten.some(({ turn_id }) => ofTurns.has(turn_id))) return []
  const resets = await db
    .selectFrom('events')
    .select(field('data', '$.from').$castTo<string | number | null>().as('from'))
    .where('session_id', '=', session)
    .where('type', '=', 'reset')
    .execute()
  // A `reset` ends the turn that runs, so each turn is between two of them. One that doesn't say where counts as none.
  const place = ({ last }: { last: number }) =>
    resets.filter(({ from }) => from !== null && Number(from) <= last).length
  const lasts = new Map<number, number>()
  for (const turn of forgotten)
    if (ofTurns.has(turn.turn_id)) lasts.set(place(turn), Math.max(turn.last, lasts.get(place(turn)) ?? 0))
  return forgotten.filter((turn) => turn.last <= (lasts.get(place(turn)) ?? 0)).map(({ turn_id }) => turn_id)
}
