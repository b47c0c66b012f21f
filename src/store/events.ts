import type { NewEvent, SessionEvent } from '../domain/events.ts'
import type { SessionId, TextId, TurnId } from '../domain/ids.ts'
import { takeNumbers } from './numbers.ts'
import type { EventRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** Appends events and returns the number of the first. `key` makes the last of them unique in the whole store. */
export async function appendEvents(tx: Tx, session: SessionId, events: NewEvent[], key?: string): Promise<number> {
  if (events.length === 0) return 0
  const first = await takeNumbers(tx, session, 'next_event', events.length)
  const rows = events.map(({ type, data }, index) => ({
    session_id: session,
    id: first + index,
    type,
    data: JSON.stringify(data),
    key: index === events.length - 1 ? (key ?? null) : null,
    created_at: tx.now,
  }))
  await tx.db.insertInto('events').values(rows).execute()
  tx.touch(session)
  return first
}

/** Events from a number on, at most `limit` of them (-1: all), in order. */
export async function readEvents(db: Db, session: SessionId, from: number, limit: number): Promise<SessionEvent[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('session_id', '=', session)
    .where('id', '>=', from)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toEvent)
}

/** Streamed text that has begun and not ended, as far as it was stored: its process died, or was told to stop. */
export async function unendedText(
  db: Db,
  session: SessionId,
): Promise<{ turn_id: TurnId; text_id: TextId; text: string } | undefined> {
  const last = await db
    .selectFrom('events')
    .select(['id', 'type'])
    .where('session_id', '=', session)
    .where('type', 'in', ['text_start', 'text_end'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.type !== 'text_start') return undefined
  let begun: { turn_id: TurnId; text_id: TextId; text: string } | undefined
  for (const event of await readEvents(db, session, last.id, -1)) {
    if (event.type === 'text_start') begun = { ...event.data, text: '' }
    if (event.type === 'text_delta' && begun !== undefined) begun.text += event.data.delta
  }
  return begun
}

export async function findEventByKey(db: Db, key: string): Promise<SessionEvent | undefined> {
  const row = await db.selectFrom('events').selectAll().where('key', '=', key).executeTakeFirst()
  return row && toEvent(row)
}

const toEvent = (row: EventRow): SessionEvent =>
  ({
    type: row.type,
    data: JSON.parse(row.data),
    timestamp: new Date(row.created_at).toISOString(),
    conversation_id: row.session_id,
    event_id: row.id,
    // The column holds what appendEvents was given.
  }) as SessionEvent

/** A turn's events from its start on, without streamed text. */
export async function eventsOfTurn(db: Db, session: SessionId, turn: TurnId): Promise<SessionEvent[]> {
  const first = await startOfTurn(db, session, turn)
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('session_id', '=', session)
    .where('id', '>=', first)
    .where('type', 'not in', ['text_start', 'text_delta', 'thought'])
    .orderBy('id')
    .execute()
  return rows.map(toEvent)
}

/** The number of the event that began the turn. */
export async function startOfTurn(db: Db, session: SessionId, turn: TurnId): Promise<number> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'data'])
    .where('session_id', '=', session)
    .where('type', '=', 'start')
    .orderBy('id', 'desc')
    .limit(10)
    .execute()
  return rows.find(({ data }) => JSON.parse(data).turn_id === turn)?.id ?? 1
}

export async function eventAt(db: Db, session: SessionId, id: number): Promise<SessionEvent | undefined> {
  const row = await db
    .selectFrom('events')
    .selectAll()
    .where('session_id', '=', session)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toEvent(row)
}
