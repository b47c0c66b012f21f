import { sql } from 'kysely'
import { type Ignored, overheard, type ThreadRef } from '../domain/chat.ts'
import { prepared } from './prepared.ts'
import type { IgnoredRow } from './schema.ts'
import type { ProjectRef } from './sessions.ts'
import type { Db, Tx } from './store.ts'
import { storeWords } from './words.ts'

/** Stands in place of a reason for what was deleted before it was stored. */
const deletedFirst = 'deleted first'

export type KnownIgnored = Ignored & { at: number }

const toIgnored = (row: IgnoredRow): KnownIgnored => ({
  dedupKey: row.dedup_key,
  thread: { platform: row.platform, tenant: row.tenant, project: row.project, thread: row.thread },
  message: row.message,
  person: JSON.parse(row.person),
  reason: row.reason === deletedFirst ? storeWords.deletedFirst() : row.reason,
  at: row.ignored_at,
})

/** Stores why something wasn't answered, replacing an earlier reason. */
export async function insertIgnored(tx: Tx, { dedupKey, thread, message, person, reason }: Ignored): Promise<void> {
  const why = { reason: tx.mask(reason), overheard: Number(Object.values<string>(overheard).includes(reason)) }
  await tx.db
    .insertInto('ignored')
    .values({ dedup_key: dedupKey, ...thread, message, person: JSON.stringify(person), ...why, ignored_at: tx.now })
    .onConflict((conflict) => conflict.column('dedup_key').doUpdateSet(why).where('ignored.reason', '!=', deletedFirst))
    .execute()
}

/** Until the transaction ends, nobody else stores this message or its deletion: neither would see the other. */
export const aloneWith = (tx: Tx, dedupKey: string): Promise<void> => tx.alone(`message ${dedupKey}`)

/** A message that isn't stored was deleted. It may still arrive, or be found in what was said earlier in its thread. */
export async function insertDeleted(
  tx: Tx,
  { dedupKey, thread, message, person }: Omit<Ignored, 'reason'>,
): Promise<void> {
  const why = { reason: deletedFirst, overheard: 0, ignored_at: tx.now }
  await tx.db
    .insertInto('ignored')
    .values({ dedup_key: dedupKey, ...thread, message, person: JSON.stringify(person), ...why })
    .onConflict((conflict) => conflict.column('dedup_key').doUpdateSet(why))
    .execute()
}

/** Whether a message was deleted before it could be stored. */
export async function wasDeleted(db: Db, dedupKey: string): Promise<boolean> {
  const query = db.selectFrom('ignored').select('reason').where('dedup_key', '=', dedupKey)
  return (await query.executeTakeFirst())?.reason === deletedFirst
}

/** A message must not be stored, because it was deleted before. */
export class DeletedFirst extends Error {}

const drop = prepared((db, { key }: { key: string }) =>
  db.deleteFrom('ignored').where('dedup_key', '=', key).returning('reason'),
)

/**
 * A message is about to be stored. Throws DeletedFirst, which ends the transaction, if it must not be. Comes before the
 * session is held, as with a deletion.
 */
export async function dropIgnored(tx: Tx, dedupKey: string): Promise<void> {
  await aloneWith(tx, dedupKey)
  const [dropped] = await drop(tx.db, { key: dedupKey })
  if (dropped?.reason === deletedFirst) throw new DeletedFirst()
}

/** A message that is stored gets an answer after all. */
export async function dropReason(tx: Tx, dedupKey: string): Promise<void> {
  await drop(tx.db, { key: dedupKey })
}

interface Listed {
  project?: ProjectRef
  thread?: string
  message?: string | undefined
  /** Where a list goes on: behind the one with this key. */
  after?: { at: number; id: string } | undefined
  limit: number
}

/** Newest first: of one channel, of one message by the platform's id, or of all. */
export async function listIgnored(db: Db, { after, ...options }: Listed): Promise<KnownIgnored[]> {
  let query = db.selectFrom('ignored').selectAll().limit(options.limit)
  query = query.orderBy('ignored_at', 'desc').orderBy('dedup_key', 'desc')
  if (after !== undefined) query = query.where(sql<boolean>`(ignored_at, dedup_key) < (${after.at}, ${after.id})`)
  if (options.project !== undefined) {
    const { platform, tenant, project } = options.project
    query = query.where((eb) => eb.and({ platform, tenant, project }))
  }
  if (options.thread !== undefined) query = query.where('thread', '=', options.thread)
  // Discord tells of each deletion, of the bot's own messages too, but not whose message it was.
  if (options.message === undefined) query = query.where('reason', '!=', deletedFirst)
  else query = query.where('message', '=', options.message)
  return (await query.execute()).map(toIgnored)
}

type Since = Pick<ThreadRef, 'platform' | 'tenant' | 'project' | 'thread'> & { since: number }

const unnamed = prepared((db, { platform, tenant, project, thread, since }: Since) =>
  db
    .selectFrom('ignored')
    .select('dedup_key')
    .where((eb) => eb.and({ platform, tenant, project, thread, reason: overheard.unnamed }))
    .where('ignored_at', '>=', since)
    .limit(1),
)

/** Whether a message was ignored since then (ms), because its thread didn't seem to be one of the bot's. */
export async function wasUnnamed(
  db: Db,
  { platform, tenant, project, thread }: ThreadRef,
  since: number,
): Promise<boolean> {
  return (await unnamed(db, { platform, tenant, project, thread, since })).length > 0
}
