import { sql } from 'kysely'
import type { Outgoing } from '../domain/chat.ts'
import type { MessageId, SessionId, TurnId } from '../domain/ids.ts'
import { takeNumbers } from './numbers.ts'
import type { OutboxRow } from './schema.ts'
import type { Db, Store, Tx } from './store.ts'

/** Something that the bot says. `key` is its message id, and how a platform finds it again after a crash. */
export interface OutboxEntry {
  key: MessageId
  session: SessionId
  turn: TurnId
  message: Outgoing
  attempts: number
}

const toEntry = (row: OutboxRow): OutboxEntry => ({
  key: row.key as MessageId,
  session: row.session_id,
  turn: row.turn_id,
  message: JSON.parse(row.payload),
  attempts: row.attempts,
})

export async function insertOutbox(tx: Tx, entry: Omit<OutboxEntry, 'attempts'>): Promise<void> {
  const seq = await takeNumbers(tx, entry.session, 'next_outbox')
  await tx.db
    .insertInto('outbox')
    .values({
      key: entry.key,
      session_id: entry.session,
      seq,
      turn_id: entry.turn,
      payload: JSON.stringify(entry.message),
      state: 'pending',
      attempts: 0,
      next_at: tx.now,
      created_at: tx.now,
    })
    .execute()
}

/** The oldest unposted entry of each session that is due: a thread's messages keep their order. */
export async function dueOutbox(db: Db, now: number): Promise<OutboxEntry[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', sql.lit('pending'))
    .where('next_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox as earlier')
            .select('earlier.key')
            .whereRef('earlier.session_id', '=', 'outbox.session_id')
            .whereRef('earlier.seq', '<', 'outbox.seq')
            .where('earlier.state', '=', sql.lit('pending')),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(200)
    .execute()
  return rows.map(toEntry)
}

/** The session's next entry, if it is due. */
export async function nextOutbox(db: Db, session: SessionId, now: number): Promise<OutboxEntry | undefined> {
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row && row.next_at <= now ? toEntry(row) : undefined
}

/** The turn that a posting belongs to. */
export async function turnOfPosting(db: Db, key: string): Promise<TurnId | undefined> {
  const row = await db.selectFrom('outbox').select('turn_id').where('key', '=', key).executeTakeFirst()
  return row?.turn_id
}

/** Stands before the posting: false when another process took this attempt. It comes up again at `retryAt` unless posted. */
export function claimAttempt(store: Store, entry: OutboxEntry, retryAt: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const claimed = await tx.db
      .updateTable('outbox')
      .set({ attempts: entry.attempts + 1, next_at: retryAt })
      .where('key', '=', entry.key)
      .where('state', '=', sql.lit('pending'))
      .where('attempts', '=', entry.attempts)
      .returning('key')
      .executeTakeFirst()
    return claimed !== undefined
  })
}

export function markDelivered(store: Store, key: string, platformId: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db
      .updateTable('outbox')
      .set({ state: 'delivered', platform_id: platformId, delivered_at: tx.now })
      .where('key', '=', key)
      .execute()
  })
}

/** At start: what a former process had claimed is due at once. */
export function releaseAttempts(store: Store): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.updateTable('outbox').set({ next_at: tx.now }).where('state', '=', sql.lit('pending')).execute()
  })
}
