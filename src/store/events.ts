import type { NewEvent, SessionEvent } from '../domain/events.ts'
import type { RequestId, SessionId, TurnId } from '../domain/ids.ts'
import { prepared } from './prepared.ts'
import { type SaidRow, wholeData } from './said.ts'
import type { EventRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

/**
 * Appends events and returns the number of the first. `key` makes the last of them unique in the whole store. They are
 * inserted at the end of the transaction, which can't read them before.
 */
export async function appendEvents(tx: Tx, session: SessionId, events: NewEvent[], key?: string): Promise<number> {
  if (events.length === 0) return 0
  const first = await tx.ledger.take(session, 'next_event', events.length)
  const rows = events.map(({ type, data }, index) => ({
    session_id: session,
    id: first + index,
    type,
    data: JSON.stringify(tx.mask(data)),
    key: index === events.length - 1 ? (key ?? null) : null,
    created_at: tx.now,
    said: null,
  }))
  tx.ledger.addEvents(rows)
  return first
}

/** With the texts that the history has. */
const whole = (db: Db) =>
  db
    .selectFrom('events')
    .leftJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'events.session_id').onRef('messages.seq', '=', 'events.said'),
    )
    .selectAll('events')
    .select(['messages.text as saidText', 'messages.turn_id as saidTurn'])

const allFrom = prepared((db, { session, from, limit }: { session: SessionId; from: number; limit: number }) =>
  whole(db).where('events.session_id', '=', session).where('id', '>=', from).orderBy('id').limit(limit),
)

/** At most `limit` events (-1: all) from a number on, in order. */
export async function readEvents(db: Db, session: SessionId, from: number, limit: number): Promise<SessionEvent[]> {
  const most = limit < 0 ? Number.MAX_SAFE_INTEGER : limit
  return (await allFrom(db, { session, from, limit: most })).map(toEvent)
}

export async function findEventByKey(db: Db, key: string): Promise<SessionEvent | undefined> {
  const row = await whole(db).where('key', '=', key).executeTakeFirst()
  return row && toEvent(row)
}

/** Lets another event have this key. */
export async function releaseKey(tx: Tx, key: string): Promise<void> {
  await tx.db.updateTable('events').set({ key: null }).where('key', '=', key).execute()
}

/** A row that was just made has its text. */
export const toEvent = (row: EventRow & Partial<SaidRow>): SessionEvent =>
  ({
    type: row.type,
    data: wholeData(row, { saidText: row.saidText ?? null, saidTurn: row.saidTurn ?? null }),
    timestamp: new Date(row.created_at).toISOString(),
    conversation_id: row.session_id,
    event_id: row.id,
    // The column holds what appendEvents was given.
  }) as SessionEvent

/** How many events are read at once, because their data may be large. */
const pageSize = 200

const wholeFrom = prepared((db, { session, from, limit }: { session: SessionId; from: number; limit: number }) =>
  whole(db)
    .where('events.session_id', '=', session)
    .where('id', '>=', from)
    .where('type', 'not in', ['text_start', 'thought'])
    .orderBy('id')
    .limit(limit),
)

/** The events of one turn in order, without streamed text. `from`: a number before which it has none. */
export async function* eventsOfTurn(
  db: Db,
  session: SessionId,
  turn: TurnId,
  from: number,
): AsyncGenerator<SessionEvent> {
  let begun = false
  for (let next = from; ; ) {
    const rows = await wholeFrom(db, { session, from: next, limit: pageSize })
    for (const event of rows.map(toEvent)) {
      // A session's turns don't overlap.
      if (event.type === 'start' && begun) return
      if ('turn_id' in event.data && event.data.turn_id === turn) {
        begun = true
        yield event
      }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    next = last.id + 1
  }
}

const questionsFrom = prepared((db, { session, from }: { session: SessionId; from: number }) =>
  db
    .selectFrom('events')
    .select('data')
    .where('session_id', '=', session)
    .where('id', '>=', from)
    .where('type', 'in', ['question_asked', 'clarification_asked', 'decision_asked', 'doom_loop_detected']),
)

/** The questions that a session's events tell of, from a number on. */
export const questionsTold = async (db: Db, session: SessionId, from: number): Promise<RequestId[]> =>
  (await questionsFrom(db, { session, from })).map(({ data }) => JSON.parse(data).request_id)

export async function eventAt(db: Db, session: SessionId, id: number): Promise<SessionEvent | undefined> {
  const row = await whole(db).where('events.session_id', '=', session).where('id', '=', id).executeTakeFirst()
  return row && toEvent(row)
}

/** The number of each session's last event that is stored: what came after it may have been deleted as old. */
export async function lastStored(db: Db, sessions: SessionId[]): Promise<Map<SessionId, number>> {
  if (sessions.length === 0) return new Map()
  const rows = await db
    .selectFrom('sessions')
    .select(({ selectFrom }) => [
      'id as session',
      selectFrom('events')
        .select(({ fn }) => fn.max('events.id').as('id'))
        .whereRef('events.session_id', '=', 'sessions.id')
        .as('last'),
    ])
    .where('id', 'in', sessions)
    .execute()
  return new Map(rows.map(({ session, last }) => [session, last ?? 0]))
}
