import { type ExpressionBuilder, sql } from 'kysely'
import type { Outgoing, WorkspaceFile } from '../domain/chat.ts'
import type { RequestId, SessionId, TurnId } from '../domain/ids.ts'
import { takeNumbers } from './numbers.ts'
import type { OutboxRow, Tables } from './schema.ts'
import type { Db, Store, Tx } from './store.ts'

/** What the bot has to show, by kind. */
interface OutboxPayload {
  /** Something said. `segment`: which of the turn's messages it ends. */
  answer: Outgoing & { segment?: number }
  card: { request: RequestId }
  /** The card of a request is to show what became of it. */
  outcome: { request: RequestId }
  /** A message of progress that no answer ends. */
  record: { segment: number }
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
  const seq = await takeNumbers(tx, entry.session, 'next_outbox')
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

/** The platform refuses it, and somebody can mend that: it is tried again at `nextAt`. */
export async function markRefused(
  tx: Tx,
  key: string,
  { reason, remedy, nextAt }: { reason: string; remedy: string; nextAt: number },
): Promise<void> {
  await tx.db
    .updateTable('outbox')
    .set((eb) => ({ reason, remedy, next_at: nextAt, refused_at: eb.fn.coalesce('refused_at', eb.val(tx.now)) }))
    .where('key', '=', key)
    .execute()
}

/** What waits behind an entry that was given up has waited as long. */
export async function waitedAsLong(tx: Tx, session: SessionId, since: number): Promise<void> {
  await tx.db
    .updateTable('outbox')
    .set((eb) => ({ refused_at: eb.fn('max', [eb.val(since), 'created_at']) }))
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .execute()
}

export interface Stuck {
  key: string
  kind: 'answer' | 'card'
  turn: TurnId | undefined
  told: boolean
}

/** The first thing that people wait for in a thread whose posting is refused. */
export async function firstStuck(db: Db, session: SessionId): Promise<Stuck | undefined> {
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .where('kind', 'in', ['answer', 'card'])
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { key: row.key, kind: row.kind as Stuck['kind'], turn: row.turn_id ?? undefined, told: row.told_at !== null }
}

export async function markTold(tx: Tx, key: string): Promise<void> {
  await tx.db.updateTable('outbox').set({ told_at: tx.now }).where('key', '=', key).execute()
}

/** Where something has changed, so that what was refused may be posted now. What is left out is everywhere. */
export interface Changed {
  tenant?: string
  project?: string
}

/** What was refused there is due at once. */
export async function releaseRefused(tx: Tx, platform: string, { tenant, project }: Changed): Promise<void> {
  let sessions = tx.db.selectFrom('sessions').select('id').where('platform', '=', platform)
  if (tenant !== undefined) sessions = sessions.where('tenant', '=', tenant)
  if (project !== undefined) sessions = sessions.where('project', '=', project)
  const { numUpdatedRows } = await tx.db
    .updateTable('outbox')
    .set({ next_at: tx.now })
    .where('state', '=', sql.lit('pending'))
    .where('refused_at', 'is not', null)
    .where('session_id', 'in', sessions)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) tx.posts()
}

/** How much the platforms refuse at the moment, by platform and reason. */
export async function refusedOutbox(db: Db) {
  return db
    .selectFrom('outbox')
    .innerJoin('sessions', 'sessions.id', 'outbox.session_id')
    .select(({ fn }) => ['platform', 'reason', 'remedy', fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('pending'))
    .where('refused_at', 'is not', null)
    .groupBy(['platform', 'reason', 'remedy'])
    .execute()
}

/** A file did not have to wait after all. */
export async function dropOutbox(tx: Tx, key: string): Promise<void> {
  await tx.db.deleteFrom('outbox').where('key', '=', key).where('state', '=', sql.lit('pending')).execute()
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
