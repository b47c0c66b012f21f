import { sql } from 'kysely'
import type { Person } from '../domain/chat.ts'
import { newId, type SessionId, type TurnId } from '../domain/ids.ts'
import type { Usage } from '../kit/model/model.ts'
import { prepared } from './prepared.ts'
import type { TurnRow, TurnState } from './schema.ts'
import type { Db, Tx } from './store.ts'

export interface StoredTurn {
  id: TurnId
  session: SessionId
  state: TurnState
  /** The inbox event that opened it. */
  inboxSeq: number
  steps: number
  /** Numbers its messages in the thread from 0. */
  segment: number
  /** Who woke it. */
  person: Person
  /** The IANA time zone of whoever woke it. */
  timeZone: string
  startedAt: number
  /** How often the process died while the turn was at its present step. */
  deaths: number
}

// Literals, so that SQLite uses the partial index.
export const openStates = (['running', 'waiting'] as const).map((state) => sql.lit(state))

const toTurn = (row: TurnRow): StoredTurn => ({
  id: row.id,
  session: row.session_id,
  state: row.state,
  inboxSeq: row.inbox_seq,
  steps: row.steps,
  segment: row.segment,
  person: JSON.parse(row.person),
  timeZone: row.time_zone,
  startedAt: row.started_at,
  deaths: row.deaths,
})

const openOf = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('turns').selectAll().where('session_id', '=', session).where('state', 'in', openStates),
)

/** The session's unfinished turn. */
export async function openTurn(db: Db, session: SessionId): Promise<StoredTurn | undefined> {
  const [row] = await openOf(db, { session })
  return row && toTurn(row)
}

/** How the session's turn before this one ended; undefined if this is the first. */
export async function stateBefore(
  db: Db,
  { session, inboxSeq }: Pick<StoredTurn, 'session' | 'inboxSeq'>,
): Promise<TurnState | undefined> {
  const row = await db
    .selectFrom('turns')
    .select('state')
    .where('session_id', '=', session)
    .where('inbox_seq', '<', inboxSeq)
    .orderBy('inbox_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state
}

export const lastTurn = async (db: Db, session: SessionId): Promise<StoredTurn | undefined> =>
  (await lastTurns(db, [session])).get(session)

/** The latest turn of each session that had one. */
export async function lastTurns(db: Db, sessions: SessionId[]): Promise<Map<SessionId, StoredTurn>> {
  if (sessions.length === 0) return new Map()
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .where('session_id', 'in', sessions)
    .where('inbox_seq', '=', ({ selectFrom }) =>
      selectFrom('turns as newest')
        .select(({ fn }) => fn.max('newest.inbox_seq').as('seq'))
        .whereRef('newest.session_id', '=', 'turns.session_id'),
    )
    .execute()
  return new Map(rows.map((row) => [row.session_id, toTurn(row)]))
}

type Values = { id: TurnId; session: SessionId; seq: number; person: string; zone: string; now: number }

const insert = prepared((db, values: Values) =>
  db
    .insertInto('turns')
    .values({
      id: values.id,
      session_id: values.session,
      inbox_seq: values.seq,
      state: 'running',
      steps: 0,
      segment: 0,
      tokens_in: 0,
      tokens_cached: 0,
      tokens_out: 0,
      person: values.person,
      time_zone: values.zone,
      started_at: values.now,
      deaths: 0,
    })
    .returningAll(),
)

export async function createTurn(
  tx: Tx,
  session: SessionId,
  inboxSeq: number,
  by: { person: Person; timeZone: string },
  { id, startedAt }: { id: TurnId; startedAt: number } = { id: newId('turn', tx.now), startedAt: tx.now },
): Promise<StoredTurn> {
  const person = JSON.stringify(by.person)
  const [row] = await insert(tx.db, { id, session, seq: inboxSeq, person, zone: by.timeZone, now: startedAt })
  return toTurn(row as TurnRow)
}

export async function turnTimeZone(db: Db, turn: TurnId): Promise<string> {
  const row = await db.selectFrom('turns').select('time_zone').where('id', '=', turn).executeTakeFirstOrThrow()
  return row.time_zone
}

const setState = prepared((db, { turn, state, ended }: { turn: TurnId; state: TurnState; ended: number | null }) =>
  db.updateTable('turns').set({ state, ended_at: ended, deaths: 0 }).where('id', '=', turn),
)

export async function setTurnState(tx: Tx, turn: TurnId, state: TurnState): Promise<void> {
  await setState(tx.db, { turn, state, ended: state === 'running' || state === 'waiting' ? null : tx.now })
}

/** The process died, and any turn it was running may be the cause. */
export async function countDeaths(tx: Tx, holder: string): Promise<void> {
  await tx.db
    .updateTable('turns')
    .set((eb) => ({ deaths: eb('deaths', '+', 1) }))
    .where('state', 'in', openStates)
    .where('state', '=', sql.lit('running'))
    .where('session_id', 'in', ({ selectFrom }) =>
      selectFrom('sessions').select('sessions.id').where('sessions.holder', '=', holder),
    )
    .execute()
}

/**
 * The session is about to be taken from another process that runs its turn, before anybody knows whether that one is
 * gone. It counts as a death, or a turn that takes down each process would go on for ever.
 */
export async function countTaking(tx: Tx, session: SessionId, holder: string): Promise<void> {
  await tx.hold(session)
  await tx.db
    .updateTable('turns')
    .set((eb) => ({ deaths: eb('deaths', '+', 1) }))
    .where('session_id', '=', session)
    .where('state', 'in', openStates)
    .where('state', '=', sql.lit('running'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions')
          .innerJoin('locks', 'locks.holder', 'sessions.holder')
          .select('locks.name')
          .where('sessions.id', '=', session)
          .where('sessions.holder', '<>', holder)
          .where('locks.leaving', '=', 0)
          .where('locks.state', '=', 'working'),
      ),
    )
    .execute()
}

/** The turn has got beyond the step at which the process died. */
export async function forgetDeaths(tx: Tx, turn: TurnId): Promise<void> {
  await tx.db.updateTable('turns').set({ deaths: 0 }).where('id', '=', turn).execute()
}

/** How many turns each session has had. */
export async function countTurns(db: Db, sessions: SessionId[]): Promise<Map<SessionId, number>> {
  if (sessions.length === 0) return new Map()
  const rows = await db
    .selectFrom('turns')
    .select(({ fn }) => ['session_id', fn.countAll<number>().as('count')])
    .where('session_id', 'in', sessions)
    .groupBy('session_id')
    .execute()
  return new Map(rows.map(({ session_id, count }) => [session_id, count]))
}

type Advance = { turn: TurnId; steps: number; segments: number; input: number; cached: number; output: number } & {
  state: TurnState | null
  ended: number | null
}

const advance = prepared((db, by: Advance) =>
  db
    .updateTable('turns')
    .set((eb) => ({
      steps: eb('steps', '+', by.steps),
      segment: eb('segment', '+', by.segments),
      tokens_in: eb('tokens_in', '+', by.input),
      tokens_cached: eb('tokens_cached', '+', by.cached),
      tokens_out: eb('tokens_out', '+', by.output),
      state: eb.fn.coalesce(eb.val(by.state), 'state'),
      ended_at: by.ended,
      deaths: 0,
    }))
    .where('id', '=', by.turn)
    .returning(['steps', 'segment', 'tokens_in', 'tokens_out']),
)

/**
 * Advances a turn in one statement: a model call was answered, with its usage; one of its messages is posted (`posts`);
 * or it ends. Returns the steps so far and the number of the posted message.
 */
export async function advanceTurn(
  tx: Tx,
  turn: TurnId,
  by: { step?: boolean; usage?: Usage | undefined; posts?: boolean; ends?: 'done' | 'failed' | 'stopped' },
): Promise<{ steps: number; segment: number; tokensIn: number; tokensOut: number }> {
  const { input, cached, output } = by.usage ?? { input: 0, cached: 0, output: 0 }
  const [row] = await advance(tx.db, {
    turn,
    input,
    cached,
    output,
    steps: by.step === true ? 1 : 0,
    segments: by.posts === true ? 1 : 0,
    state: by.ends ?? null,
    ended: by.ends === undefined ? null : tx.now,
  })
  if (row === undefined) throw new Error(`there is no turn ${turn}`)
  const { steps, tokens_in: tokensIn, tokens_out: tokensOut } = row
  return { steps, segment: by.posts === true ? row.segment - 1 : row.segment, tokensIn, tokensOut }
}

/** From now on the turn shows things in its next message. Returns the number of the one before. */
export async function nextSegment(tx: Tx, turn: TurnId): Promise<number> {
  const { segment } = await tx.db
    .updateTable('turns')
    .set((eb) => ({ segment: eb('segment', '+', 1) }))
    .where('id', '=', turn)
    .returning('segment')
    .executeTakeFirstOrThrow()
  return segment - 1
}

/** What a session and its children took. */
export async function tokensOf(db: Db, session: SessionId): Promise<Usage> {
  const row = await db
    .selectFrom('turns')
    .select(({ fn }) => [
      fn.sum<number | null>('tokens_in').as('input'),
      fn.sum<number | null>('tokens_cached').as('cached'),
      fn.sum<number | null>('tokens_out').as('output'),
    ])
    .where('session_id', 'in', ({ selectFrom }) =>
      selectFrom('sessions')
        .select('sessions.id')
        .where(({ or, eb }) => or([eb('sessions.id', '=', session), eb('parent', '=', session)])),
    )
    .executeTakeFirstOrThrow()
  return { input: Number(row.input ?? 0), cached: Number(row.cached ?? 0), output: Number(row.output ?? 0) }
}

const find = prepared((db, { id }: { id: TurnId }) => db.selectFrom('turns').selectAll().where('id', '=', id))

export async function findTurn(db: Db, id: string): Promise<StoredTurn | undefined> {
  const [row] = await find(db, { id: id as TurnId })
  return row && toTurn(row)
}
