import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type AlarmId, type CallId, callOfAlarm, type SessionId, type TurnId } from '../domain/ids.ts'
import type { ToolCall } from '../domain/messages.ts'
import { listOf } from './json.ts'
import { prepared, preparedRows } from './prepared.ts'
import type { CallRow, CallState } from './schema.ts'
import type { Db, Tx } from './store.ts'

export type EndState = 'done' | 'failed' | 'denied' | 'unknown'

export interface StoredCall extends ToolCall {
  session: SessionId
  turn: TurnId
  state: CallState
  /** Covers tool and arguments. An approval holds for exactly this. */
  hash: string
  attempt: number
  startedAt: number | undefined
  endedAt: number | undefined
  result: string | undefined
}

// Literals, so that SQLite uses the partial index.
export const openCallStates = (['proposed', 'waiting', 'started'] as const).map((state) => sql.lit(state))

export const callHash = (name: string, args: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name, args]))
    .digest('hex')

export const toCall = (row: CallRow): StoredCall => ({
  id: row.id,
  session: row.session_id,
  turn: row.turn_id,
  name: row.tool,
  arguments: row.arguments,
  state: row.state,
  hash: row.arguments_hash,
  attempt: row.attempt,
  startedAt: row.started_at ?? undefined,
  endedAt: row.ended_at ?? undefined,
  result: row.result ?? undefined,
})

const insert = preparedRows('calls', [
  ...(['id', 'session_id', 'turn_id', 'place', 'tool', 'arguments', 'arguments_hash'] as const),
  ...(['state', 'attempt', 'epoch', 'result', 'proposed_at', 'started_at', 'ended_at'] as const),
])

export async function insertCalls(
  tx: Tx,
  session: SessionId,
  turn: TurnId,
  epoch: number,
  calls: ToolCall[],
): Promise<void> {
  const rows = calls.map((call, place) => ({
    id: call.id,
    session_id: session,
    turn_id: turn,
    place,
    tool: tx.mask(call.name),
    arguments: call.arguments,
    arguments_hash: callHash(call.name, call.arguments),
    state: 'proposed' as const,
    attempt: 0,
    epoch,
    proposed_at: tx.now,
    started_at: null,
    ended_at: null,
    result: null,
  }))
  await insert(tx.db, rows)
}

const openOf = prepared((db, { turn }: { turn: TurnId }) =>
  db
    .selectFrom('calls')
    .selectAll()
    .where('turn_id', '=', turn)
    .where('state', 'in', openCallStates)
    .orderBy('proposed_at')
    .orderBy('place'),
)

/** The calls of a turn that haven't ended, in the order the model asked for them. */
export async function openCalls(db: Db, turn: TurnId): Promise<StoredCall[]> {
  return (await openOf(db, { turn })).map(toCall)
}

const byId = prepared((db, { call }: { call: CallId }) => db.selectFrom('calls').selectAll().where('id', '=', call))

export async function readCall(db: Db, call: CallId): Promise<StoredCall> {
  const [row] = await byId(db, { call })
  if (row === undefined) throw new Error(`there is no call ${call}`)
  return toCall(row)
}

/** The turn whose call set an alarm; undefined if a person did. */
export async function turnThatSet(db: Db, alarm: AlarmId): Promise<TurnId | undefined> {
  const [row] = await byId(db, { call: callOfAlarm(alarm) })
  return row?.turn_id
}

/** How those of these calls that have ended did so. */
export async function endedCalls(
  db: Db,
  ids: readonly CallId[],
): Promise<Map<CallId, { state: EndState; result: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'state', 'result'])
    .where('id', 'in', ids)
    .where('state', 'in', ['done', 'failed', 'denied', 'unknown'])
    .execute()
  return new Map(rows.map(({ id, state, result }) => [id, { state: state as EndState, result: result ?? '' }]))
}

/** Forgets a call of which nothing has begun and nobody was asked. The history leaves out calls without a result. */
export async function takeBack(tx: Tx, call: CallId): Promise<void> {
  await tx.db.deleteFrom('calls').where('id', '=', call).where('state', '=', 'proposed').execute()
}

export async function markWaiting(tx: Tx, call: CallId): Promise<void> {
  await tx.db.updateTable('calls').set({ state: 'waiting' }).where('id', '=', call).execute()
}

const start = prepared((db, { call, epoch, now }: { call: CallId; epoch: number; now: number }) =>
  db
    .updateTable('calls')
    .set((eb) => ({ state: 'started' as const, attempt: eb('attempt', '+', 1), epoch, started_at: now }))
    .where('id', '=', call)
    .returning('attempt'),
)

/** Stored before anything runs. Returns which attempt this is. */
export async function markStarted(tx: Tx, call: CallId, epoch: number): Promise<number> {
  const [row] = await start(tx.db, { call, epoch, now: tx.now })
  if (row === undefined) throw new Error(`there is no call ${call}`)
  return row.attempt
}

const end = prepared(
  (db, { call, state, result, now }: { call: CallId; state: EndState; result: string; now: number }) =>
    db
      .updateTable('calls')
      .set({ state, result, ended_at: now })
      .where('id', '=', call)
      .where('state', 'in', openCallStates)
      .returning('id'),
)

/** False when the call had already ended. */
export async function markEnded(tx: Tx, call: CallId, state: EndState, result: string): Promise<boolean> {
  return (await end(tx.db, { call, state, result: tx.mask(result), now: tx.now })).length > 0
}

const latest = prepared((db, { session, limit }: { session: SessionId; limit: number }) =>
  db
    .selectFrom('calls')
    .selectAll('calls')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('requests').select('id').whereRef('call_id', '=', 'calls.id').where('kind', '=', sql.lit('loop')),
      ).as('asked'),
    )
    .where('session_id', '=', session)
    .orderBy('proposed_at', 'desc')
    .orderBy('place', 'desc')
    .limit(limit),
)

/** A session's latest calls, newest first, and whether a person was asked about each as a loop. */
export async function latestCalls(db: Db, session: SessionId, limit: number) {
  const rows = await latest(db, { session, limit })
  return rows.map((row) => ({ ...toCall(row), proposedAt: row.proposed_at, asked: Boolean(row.asked) }))
}

/**
 * The latest call whose result isn't only the program's word, from a message on or within turns: of one of these
 * tools, or of one that isn't among the `known`.
 */
export async function latestCallOf(
  db: Db,
  { tools, known }: { tools: string[]; known: string[] },
  where: { session: SessionId; from: number; turns: TurnId[] | undefined },
): Promise<Pick<ToolCall, 'name' | 'arguments'> | undefined> {
  let query = db
    .selectFrom('messages')
    .innerJoin('calls', 'calls.id', 'messages.call_id')
    .select(['calls.tool as name', 'calls.arguments'])
    .where('messages.session_id', '=', where.session)
    .where('messages.seq', '>=', where.from)
    .where('messages.origin', 'is', null)
    .where((eb) => eb.or([eb('calls.tool', 'in', ['', ...tools]), eb('calls.tool', 'not in', ['', ...known])]))
    .where('calls.state', 'in', ['done', 'failed', 'unknown'])
    .orderBy('messages.seq', 'desc')
    .limit(1)
  if (where.turns !== undefined) query = query.where('messages.turn_id', 'in', listOf(where.turns))
  return query.executeTakeFirst()
}

/**
 * The calls of these tools that count before this one, in a turn and its child sessions. Of its own session those do
 * that the model asked for earlier, or that have begun. Of the other sessions all do, since they have no order among
 * each other. A denied one doesn't.
 */
export async function callsBefore(
  db: Db,
  call: CallId,
  { session, turn, children, tools }: { session: SessionId; turn: TurnId; children: SessionId[]; tools: string[] },
): Promise<Pick<StoredCall, 'session' | 'name' | 'arguments'>[]> {
  const own = await db
    .selectFrom('calls')
    .select(['session_id', 'proposed_at', 'place'])
    .where('id', '=', call)
    .executeTakeFirstOrThrow()
  return db
    .selectFrom('calls')
    .select(['session_id as session', 'tool as name', 'arguments'])
    .where('session_id', 'in', [session, ...children])
    .where(({ eb, or }) => or([eb('turn_id', '=', turn), eb('session_id', '!=', session)]))
    .where('id', '!=', call)
    .where('tool', 'in', ['', ...tools])
    .where('state', '!=', 'denied')
    .where(({ eb, or, and }) =>
      or([
        eb('session_id', '!=', own.session_id),
        eb('attempt', '>', 0),
        eb('proposed_at', '<', own.proposed_at),
        and([eb('proposed_at', '=', own.proposed_at), eb('place', '<', own.place)]),
      ]),
    )
    .execute()
}

/** When the first call of a turn was denied with this text. */
export async function firstDenied(
  db: Db,
  { id, session }: { id: TurnId; session: SessionId },
  text: string,
): Promise<number | undefined> {
  const { at } = await db
    .selectFrom('calls')
    .select(({ fn }) => fn.min<number | null>('ended_at').as('at'))
    .where('session_id', '=', session)
    .where('turn_id', '=', id)
    .where('state', '=', 'denied')
    .where('result', '=', text)
    .executeTakeFirstOrThrow()
  return at ?? undefined
}

/** The turn's call of a tool with exactly these arguments. */
export async function findCallWith(
  db: Db,
  { id, session }: { id: TurnId; session: SessionId },
  tool: string,
  args: string,
): Promise<CallId | undefined> {
  const row = await db
    .selectFrom('calls')
    .select('id')
    // No index knows a call's turn once it has ended.
    .where('session_id', '=', session)
    .where('turn_id', '=', id)
    .where('arguments_hash', '=', callHash(tool, args))
    .executeTakeFirst()
  return row?.id
}

/** The tools of the calls that were begun since a message of the history, each once. */
export async function toolsCalledSince(db: Db, session: SessionId, message: number): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('calls', 'calls.id', 'messages.call_id')
    .select('calls.tool')
    .where('messages.session_id', '=', session)
    .where('messages.seq', '>=', message)
    .where('calls.attempt', '>', 0)
    .orderBy('messages.seq')
    .execute()
  return [...new Set(rows.map(({ tool }) => tool))]
}
