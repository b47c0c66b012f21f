import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Person } from '../domain/chat.ts'
import type { SessionId, TurnId } from '../domain/ids.ts'
import {
  deleted,
  type InboxEvent,
  type InboxKind,
  type InboxPayload,
  isUnnamed,
  toInboxEvent,
  wholePayload,
} from './inbox-event.ts'
import { prepared } from './prepared.ts'
import type { InboxRow } from './schema.ts'
import type { Db, Tx } from './store.ts'
import type { StoredTurn } from './turns.ts'

// Literals, so that SQLite uses the partial index.
export const unread = (['pending', 'held'] as const).map((state) => sql.lit(state))

/** Something that was received. `eventId` reported it. `turn` read it, or ended before it could. */
export interface Received {
  session: SessionId
  seq: number
  kind: InboxKind
  state: InboxRow['state']
  payload: unknown
  eventId: number
  turn: TurnId | null
}

const findByKey = prepared((db, { key }: { key: string }) =>
  db.selectFrom('inbox').selectAll().where('dedup_key', '=', key),
)

/** Whether this was already received, and where. */
export async function findByDedupKey(db: Db, dedupKey: string): Promise<Received | undefined> {
  const [row] = await findByKey(db, { key: dedupKey })
  return row && toReceived(row)
}

const toReceived = (row: InboxRow): Received => ({
  session: row.session_id,
  seq: row.seq,
  kind: row.kind,
  state: row.state,
  payload: wholePayload(row),
  eventId: row.event_id,
  turn: row.turn_id,
})

/** What was received in a session under keys that begin like this and end in a number, in order. */
export async function findByKeys(db: Db, session: SessionId, prefix: string): Promise<Received[]> {
  const rows = await db
    .selectFrom('inbox')
    .selectAll()
    .where('session_id', '=', session)
    .where('dedup_key', '>=', prefix)
    .where('dedup_key', '<', `${prefix}~`)
    .orderBy('seq')
    .execute()
  return rows.map(toReceived)
}

/** What this event reported. */
export async function findByEvent(db: Db, session: SessionId, event: number): Promise<Received | undefined> {
  const row = await db
    .selectFrom('inbox')
    .selectAll()
    .where('session_id', '=', session)
    .where('event_id', '=', event)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row && toReceived(row)
}

const insert = prepared((db, row: Omit<InboxRow, 'turn_id'>) =>
  db.insertInto('inbox').values({
    session_id: row.session_id,
    seq: row.seq,
    dedup_key: row.dedup_key,
    kind: row.kind,
    payload: row.payload,
    state: row.state,
    event_id: row.event_id,
    created_at: row.created_at,
  }),
)

/** Where another version may run beside this one, everything is stored as that knows it. */
function payloadOf(tx: Tx, payload: object): string {
  const isLeftOut = tx.ledger.sharesTexts && 'files' in payload && isDeepStrictEqual(payload.files, [])
  return JSON.stringify(isLeftOut ? { ...payload, files: undefined } : payload)
}

/** Throws a unique-constraint error for a known `dedupKey`, so look first, in the same transaction. */
export async function insertInbox<Kind extends InboxKind>(
  tx: Tx,
  session: SessionId,
  row: { dedupKey: string; kind: Kind; payload: InboxPayload[Kind]; eventId: number; state?: InboxRow['state'] },
): Promise<number> {
  const seq = await tx.ledger.take(session, 'next_inbox')
  await insert(tx.db, {
    session_id: session,
    seq,
    dedup_key: row.dedupKey,
    kind: row.kind,
    payload: payloadOf(tx, row.payload),
    state: row.state ?? 'pending',
    event_id: row.eventId,
    created_at: tx.now,
  })
  return seq
}

const unreadOf = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('inbox').selectAll().where('session_id', '=', session).where('state', 'in', unread).orderBy('seq'),
)

/** Everything unread, in order. */
export async function unreadInbox(db: Db, session: SessionId): Promise<InboxEvent[]> {
  return (await unreadOf(db, { session })).map(toInboxEvent)
}

/** Unread entries that need work, in order, without those left over from a turn that ended before it read them. */
export const pendingInbox = async (db: Db, session: SessionId): Promise<InboxEvent[]> =>
  (await unreadInbox(db, session)).filter(({ held }) => !held)

/** What is unread never wakes anybody. */
export async function dropUnread(tx: Tx, session: SessionId): Promise<void> {
  await tx.db
    .updateTable('inbox')
    .set({ state: 'taken' })
    .where('session_id', '=', session)
    .where('state', 'in', unread)
    .execute()
}

/** A row keeps the turn that left it unread. Alarms and `resume` get the turn that reads them, as it acts on them. */
export async function takeInbox(tx: Tx, session: SessionId, seqs: number[], turn: TurnId | null): Promise<void> {
  if (seqs.length === 0) return
  const turn_id = sql<TurnId | null>`coalesce(case when kind in ('alarm', 'resume') then ${turn} end, turn_id, ${turn})`
  await tx.db
    .updateTable('inbox')
    .set({ state: 'taken', turn_id })
    .where('session_id', '=', session)
    .where('seq', 'in', seqs)
    .execute()
}

type Taking = { session: SessionId; seq: number; state: 'pending' | 'held'; payload: string; turn: TurnId }

const takeAsItWas = prepared((db, values: Taking) =>
  db
    .updateTable('inbox')
    .set((eb) => ({ state: 'taken', turn_id: eb.fn.coalesce('turn_id', eb.val(values.turn)) }))
    .where('session_id', '=', values.session)
    .where('seq', '=', values.seq)
    .where('payload', '=', values.payload)
    .where('state', '=', values.state)
    .returning('seq'),
)

/**
 * Takes events that haven't changed since they were read. False at the first that has; then the caller must undo what
 * was taken.
 */
export async function takeUnchanged(tx: Tx, session: SessionId, events: InboxEvent[], turn: TurnId): Promise<boolean> {
  for (const { seq, held, stored } of events) {
    const values = { session, seq, turn, payload: stored, state: held ? ('held' as const) : ('pending' as const) }
    if ((await takeAsItWas(tx.db, values)).length === 0) return false
  }
  return true
}

/** Sessions with work to do: an unfinished turn, or something unread that doesn't wait for a person. */
export async function runnableSessions(db: Db): Promise<SessionId[]> {
  // Each `in` repeats the condition of a partial index, or SQLite doesn't use it.
  const { rows } = await sql<{ session_id: SessionId }>`
    select session_id from turns where state in ('running', 'waiting') and state = 'running'
    union
    select session_id from inbox where state in ('pending', 'held') and state = 'pending' and (kind = 'answer' or not exists (
      select 1 from turns where turns.session_id = inbox.session_id
      and turns.state in ('running', 'waiting') and turns.state = 'waiting'))`.execute(db)
  return rows.map(({ session_id }) => session_id)
}

const openedBy = prepared((db, { session, seq }: { session: SessionId; seq: number }) =>
  db.selectFrom('inbox').selectAll().where('session_id', '=', session).where('seq', '=', seq),
)

/** The event that opened a turn. */
export async function openingOf(db: Db, turn: { session: SessionId; inboxSeq: number }): Promise<InboxEvent> {
  const [row] = await openedBy(db, { session: turn.session, seq: turn.inboxSeq })
  if (row === undefined) throw new Error(`nothing opened the turn at ${turn.inboxSeq} of session ${turn.session}`)
  return toInboxEvent(row)
}

/** The dedup key of the first message in a session. */
export async function firstMessageKey(db: Db, session: SessionId): Promise<string | undefined> {
  const row = await db
    .selectFrom('inbox')
    .select('dedup_key')
    .where('session_id', '=', session)
    .where('kind', '=', 'message')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.dedup_key
}

/** A message was edited, or one that answered. */
export async function rewriteInbox(
  tx: Tx,
  session: SessionId,
  seq: number,
  payload: InboxPayload['message' | 'answer'],
): Promise<void> {
  await tx.db
    .updateTable('inbox')
    .set({ payload: JSON.stringify(payload) })
    .where('session_id', '=', session)
    .where('seq', '=', seq)
    .execute()
}

/** An unread message turned out to be the answer to a request. */
export async function turnIntoAnswer(
  tx: Tx,
  session: SessionId,
  seq: number,
  payload: InboxPayload['answer'],
): Promise<void> {
  await tx.db
    .updateTable('inbox')
    .set({ kind: 'answer', payload: JSON.stringify(payload) })
    .where('session_id', '=', session)
    .where('seq', '=', seq)
    .execute()
}

const readBy = prepared((db, { session, turn }: { session: SessionId; turn: TurnId }) =>
  db
    .selectFrom('inbox')
    .selectAll()
    .where('session_id', '=', session)
    .where('turn_id', '=', turn)
    .where('state', '=', 'taken'),
)

/** Somebody, or an alarm, wants the turn to do something. */
export function asks(event: InboxEvent): boolean {
  if (event.kind !== 'message') return event.kind === 'alarm' || event.kind === 'resume'
  const { note, earlier, answered, latest } = event.payload
  return note === undefined && earlier === undefined && answered === undefined && latest !== deleted
}

/** What people asked in the messages that a turn has read, by the keys under which these came. */
export async function askedIn(db: Db, { id, session }: StoredTurn): Promise<{ dedupKey: string; person: Person }[]> {
  const rows = await readBy(db, { session, turn: id })
  return rows.flatMap((row) => {
    const event = toInboxEvent(row)
    return event.kind === 'message' && asks(event) ? [{ dedupKey: row.dedup_key, person: event.payload.person }] : []
  })
}

/** Whether the turn has read this event, and nothing else that still asks for something. */
export async function isAbout(db: Db, { id, session, inboxSeq }: StoredTurn, seq: number): Promise<boolean> {
  const read = await readInTurn(db, { session, turn: id })
  if (seq !== inboxSeq && !read.some((event) => event.seq === seq)) return false
  return !read.some((event) => event.seq !== seq && asks(event))
}

export const readInTurn = async (db: Db, of: { session: SessionId; turn: TurnId }): Promise<InboxEvent[]> =>
  (await readBy(db, of)).map(toInboxEvent)

/** Whether the turn has read only messages that didn't mention the bot. */
export async function isAmongPeople(db: Db, session: SessionId, turn: TurnId): Promise<boolean> {
  const read = await readInTurn(db, { session, turn })
  return read.length > 0 && read.every(isUnnamed)
}
