import { sql } from 'kysely'
import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { AlarmId, RequestId, SessionId, TurnId } from '../domain/ids.ts'
import { takeNumbers } from './numbers.ts'
import type { InboxRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** What can wake a session, by kind. */
export interface InboxPayload {
  message: { person: Person; text: string; files: WorkspaceFile[]; timeZone?: string }
  alarm: { person: Person; alarm: AlarmId; message: string; dueAt: number; timeZone: string }
  answer: { person?: Person; request: RequestId }
  resume: { person: Person }
}

type InboxKind = keyof InboxPayload

export type InboxEvent = {
  [Kind in InboxKind]: { kind: Kind; seq: number; at: number; payload: InboxPayload[Kind] }
}[InboxKind]

const toInboxEvent = (row: InboxRow): InboxEvent =>
  // The column holds what insertInbox was given for this kind.
  ({ kind: row.kind, seq: row.seq, at: row.created_at, payload: JSON.parse(row.payload) }) as InboxEvent

/** Whether, and where, a thing has already been received. */
export async function findByDedupKey(
  db: Db,
  dedupKey: string,
): Promise<{ session: SessionId; eventId: number } | undefined> {
  const row = await db
    .selectFrom('inbox')
    .select(['session_id', 'event_id'])
    .where('dedup_key', '=', dedupKey)
    .executeTakeFirst()
  return row && { session: row.session_id, eventId: row.event_id }
}

/** Throws a unique-constraint error on a known `dedupKey`: look first, in the same transaction. */
export async function insertInbox<Kind extends InboxKind>(
  tx: Tx,
  session: SessionId,
  row: { dedupKey: string; kind: Kind; payload: InboxPayload[Kind]; eventId: number },
): Promise<number> {
  const seq = await takeNumbers(tx, session, 'next_inbox')
  await tx.db
    .insertInto('inbox')
    .values({
      session_id: session,
      seq,
      dedup_key: row.dedupKey,
      kind: row.kind,
      payload: JSON.stringify(row.payload),
      state: 'pending',
      event_id: row.eventId,
      created_at: tx.now,
    })
    .execute()
  return seq
}

/** What waits and wants something, in order. */
export const pendingInbox = (db: Db, session: SessionId): Promise<InboxEvent[]> => inState(db, session, 'pending')

/** Everything that has not been read, in order. */
export async function unreadInbox(db: Db, session: SessionId): Promise<InboxEvent[]> {
  const [held, pending] = await Promise.all([inState(db, session, 'held'), pendingInbox(db, session)])
  return [...held, ...pending].sort((a, b) => a.seq - b.seq)
}

async function inState(db: Db, session: SessionId, state: 'pending' | 'held'): Promise<InboxEvent[]> {
  const rows = await db
    .selectFrom('inbox')
    .selectAll()
    .where('session_id', '=', session)
    // As a literal, so that SQLite uses the partial index.
    .where('state', '=', sql.lit(state))
    .orderBy('seq')
    .execute()
  return rows.map(toInboxEvent)
}

/** What people said, and answers that nobody waits for any more, wake nobody from now on. */
export async function holdInbox(tx: Tx, session: SessionId, turn: TurnId): Promise<void> {
  await tx.db
    .updateTable('inbox')
    .set({ state: 'held', turn_id: turn })
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .where('kind', 'in', ['message', 'answer'])
    .execute()
}

export async function takeInbox(tx: Tx, session: SessionId, seqs: number[], turn: TurnId | null): Promise<void> {
  if (seqs.length === 0) return
  await tx.db
    .updateTable('inbox')
    .set((eb) => ({ state: 'taken', turn_id: eb.fn.coalesce('turn_id', eb.val(turn)) }))
    .where('session_id', '=', session)
    .where('seq', 'in', seqs)
    .execute()
}

/** Sessions in which something is to be done: an unfinished turn, or something unread that need not wait for a person. */
export async function runnableSessions(db: Db): Promise<SessionId[]> {
  const { rows } = await sql<{ session_id: SessionId }>`
    select session_id from turns where state in ('running', 'waiting') and state = 'running'
    union
    select session_id from inbox where state = 'pending' and (kind = 'answer' or not exists (
      select 1 from turns where turns.session_id = inbox.session_id
      and turns.state in ('running', 'waiting') and turns.state = 'waiting'))`.execute(db)
  return rows.map(({ session_id }) => session_id)
}
