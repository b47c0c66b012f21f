import { type ExpressionBuilder, sql } from 'kysely'
import type { Outgoing, WorkspaceFile } from '../domain/chat.ts'
import type { RequestId, SessionId, TurnId } from '../domain/ids.ts'
import type { OutboxRow, Tables } from './schema.ts'
import type { Db, Store, Tx } from './store.ts'

/** What the bot has to show, by kind. */
interface OutboxPayload {
  /** Something said. `segment`: which of the turn's messages it ends. */
  answer: Outgoing & { segment?: number }
  card: { request: RequestId }
  /** The card of a request is to show what became of it. */
  outcome: { request: RequestId }
  /** A message of progress that no answer ends; `nothing`: it is to vanish. */
  record: { segment: number; nothing?: boolean }
  /** What an answer was to carry and could not: it comes later, and nothing waits for it. */
  files: { files: WorkspaceFile[] }
}

type OutboxKind = keyof OutboxPayload

/** Something that the bot shows in a thread. `key` is how it is known here and on the platform. */
export type OutboxEntry = {
  [Kind in OutboxKind]: {
    key: string
    session: SessionId
    turn: TurnId | undefined
    kind: Kind
    payload: OutboxPayload[Kind]
    attempts: number
    /** Since when the platform refuses it. */
    refusedAt: number | undefined
  }
}[OutboxKind]

const toEntry = (row: OutboxRow): OutboxEntry =>
  ({
    key: row.key,
    session: row.session_id,
    turn: row.turn_id ?? undefined,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    attempts: row.attempts,
    refusedAt: row.refused_at ?? undefined,
    // The column holds what insertOutbox was given for this kind.
  }) as OutboxEntry

/** The same key again changes nothing. */
export async function insertOutbox<Kind extends OutboxKind>(
  tx: Tx,
  entry: { key: string; session: SessionId; turn: TurnId | undefined; kind: Kind; payload: OutboxPayload[Kind] },
): Promise<void> {
  const seq = await tx.ledger.take(entry.session, 'next_outbox')
  await tx.db
    .insertInto('outbox')
    .values({
      key: entry.key,
      session_id: entry.session,
      seq,
      turn_id: entry.turn ?? null,
      kind: entry.kind,
      payload: JSON.stringify(tx.mask(entry.payload)),
      state: 'pending',
      attempts: 0,
      next_at: tx.now,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  tx.posts()
}

/** Nothing that comes first in its thread waits; files keep nobody waiting. */
const isFirst = (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.not(
    eb.exists(
      eb
        .selectFrom('outbox as earlier')
        .select('earlier.key')
        .whereRef('earlier.session_id', '=', 'outbox.session_id')
        .whereRef('earlier.seq', '<', 'outbox.seq')
        .where('earlier.kind', '!=', 'files')
        .where('earlier.state', '=', sql.lit('pending')),
    ),
  )

const due = (db: Db, now: number) =>
  db.selectFrom('outbox').selectAll().where('state', '=', sql.lit('pending')).where('next_at', '<=', now).where(isFirst)

/** The oldest unposted entries that are due, `limit` at most: a thread's messages keep their order. */
export async function dueOutbox(db: Db, now: number, limit: number): Promise<OutboxEntry[]> {
  const rows = await due(db, now).orderBy('created_at').limit(limit).execute()
  return rows.map(toEntry)
}

/** The session's next entry, if one is due. */
export async function nextOutbox(db: Db, session: SessionId, now: number): Promise<OutboxEntry | undefined> {
  const row = await due(db, now).where('session_id', '=', session).orderBy('seq').limit(1).executeTakeFirst()
  return row && toEntry(row)
}

/** Stands before the posting: false when another process took this attempt. It comes up again at `retryAt` unless posted. */
export async function claimAttempt(tx: Tx, entry: OutboxEntry, retryAt: number): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('outbox')
    .set({ attempts: entry.attempts + 1, next_at: retryAt })
    .where('key', '=', entry.key)
    .where('state', '=', sql.lit('pending'))
    .where('attempts', '=', entry.attempts)
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

export async function markDelivered(tx: Tx, key: string): Promise<void> {
  await tx.db.updateTable('outbox').set({ state: 'delivered', delivered_at: tx.now }).where('key', '=', key).execute()
}

/** It can never be posted; what comes after it can. */
export async function markFailed(tx: Tx, key: string, reason: string): Promise<void> {
  await tx.db.updateTable('outbox').set({ state: 'failed', reason }).where('key', '=', key).execute()
}

/** The platform said when to come again. */
export function postpone(store: Store, key: string, nextAt: number): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.updateTable('outbox').set({ next_at: nextAt }).where('key', '=', key).execute()
  })
}

/** At start: what a former process had claimed is due at once. */
export function releaseAttempts(store: Store): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.updateTable('outbox').set({ next_at: tx.now }).where('state', '=', sql.lit('pending')).execute()
  })
}

export async function isInOutbox(db: Db, key: string): Promise<boolean> {
  return (await db.selectFrom('outbox').select('key').where('key', '=', key).executeTakeFirst()) !== undefined
}

/** Whether somebody is still going to post it. */
export async function isUndelivered(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom('outbox').select('state').where('key', '=', key).executeTakeFirst()
  return row?.state === 'pending'
}

/** Whether the turn has said something already. */
export async function hasAnswered(db: Db, turn: TurnId): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('key')
    .where('turn_id', '=', turn)
    .where('kind', '=', 'answer')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
