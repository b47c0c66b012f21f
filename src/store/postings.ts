import { sql } from 'kysely'
import type { ThreadRef } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { mayWork } from './lock.ts'
import { prepared } from './prepared.ts'
import type { PostingRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** A message on a platform. Without `id` nobody knows whether it was posted. */
export interface KnownPosting {
  key: string
  id: string | undefined
  note: string | undefined
  begunAt: number
  /** The process that is posting it as a live message right now. */
  holder: string | undefined
}

const toPosting = (row: PostingRow): KnownPosting => ({
  key: row.key,
  id: row.platform_id ?? undefined,
  note: row.note ?? undefined,
  begunAt: row.begun_at,
  holder: row.holder ?? undefined,
})

const find = prepared((db, { key }: { key: string }) => db.selectFrom('postings').selectAll().where('key', '=', key))

export async function findPosting(db: Db, key: string): Promise<KnownPosting | undefined> {
  const [row] = await find(db, { key })
  return row && toPosting(row)
}

const begin = prepared((db, { key, session, now }: { key: string; session: SessionId; now: number }) =>
  db
    .insertInto('postings')
    .values({ key, session_id: session, begun_at: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key'),
)

/** Stored before anything is posted. False, and nothing changes, when it already exists. */
export async function beginPosting(tx: Tx, session: SessionId, key: string): Promise<boolean> {
  return (await begin(tx.db, { key, session, now: tx.now })).length > 0
}

/** What was known of a message when it was looked for; undefined if nobody had begun it. */
export type Former = Pick<KnownPosting, 'begunAt' | 'holder'> | undefined

interface Held {
  key: string
  session: SessionId
  now: number
  holder: string
  formerHolder: string | null
  formerAt: number | null
}

const beginHeld = prepared((db, { key, session, now, holder, formerHolder, formerAt }: Pick<Held, keyof Held>) =>
  db
    .insertInto('postings')
    .values({ key, session_id: session, begun_at: now, holder })
    .onConflict((conflict) =>
      conflict
        .column('key')
        // Each attempt has its own time, even if the clock goes back.
        .doUpdateSet({
          holder,
          begun_at: sql<number>`case when postings.begun_at < ${now} then ${now} else postings.begun_at + 1 end`,
        })
        .where('postings.platform_id', 'is', null)
        .where('postings.begun_at', '=', formerAt)
        .where((eb) => eb.or([eb('postings.holder', 'is', null), eb('postings.holder', '=', formerHolder)])),
    )
    .returning('begun_at'),
)

/**
 * The same for a live message, which another process may want to continue: until `setPosted` or `endPosting` it waits.
 * Returns when it was begun, ms since 1970; undefined when somebody has begun or posted it since it was looked for,
 * even if that failed: nobody knows then whether it stands.
 */
export async function beginLive(
  tx: Tx,
  session: SessionId,
  key: string,
  { holder, former }: { holder: string; former: Former },
): Promise<number | undefined> {
  const [row] = await beginHeld(tx.db, {
    ...{ key, session, now: tx.now, holder },
    ...{ formerHolder: former?.holder ?? null, formerAt: former?.begunAt ?? null },
  })
  return row?.begun_at
}

/** The process's attempt to post it failed, or nobody knows. */
export async function endPosting(tx: Tx, key: string, holder: string): Promise<void> {
  await tx.db
    .updateTable('postings')
    .set({ holder: null })
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute()
}

const setId = prepared((db, { key, id, holder }: { key: string; id: string; holder: string }) =>
  db
    .updateTable('postings')
    .set({ platform_id: id, holder: null })
    .where('key', '=', key)
    .where(mayWork(sql.val(holder))),
)

/** A replaced process, `holder`, changes nothing: another one may have posted it anew. */
export async function setPosted(tx: Tx, key: string, id: string, holder: string): Promise<void> {
  await setId(tx.db, { key, id, holder })
}

/** A replaced process, `holder`, changes nothing. */
export async function setNote(tx: Tx, key: string, note: string, holder: string): Promise<void> {
  await tx.db
    .updateTable('postings')
    .set({ note })
    .where('key', '=', key)
    .where(mayWork(sql.val(holder)))
    .execute()
}

/** The key of our message with this id on the platform. */
export async function keyOfMessage(db: Db, session: SessionId, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('postings')
    .select('key')
    .where('session_id', '=', session)
    .where('platform_id', '=', id)
    .executeTakeFirst()
  return row?.key
}

/** The keys of our message with this id in a channel, in whichever session. */
export async function keysInChannel(
  db: Db,
  { platform, tenant, project }: Omit<ThreadRef, 'thread'>,
  id: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('postings')
    .innerJoin('sessions', 'sessions.id', 'postings.session_id')
    .select('postings.key')
    .where('platform_id', '=', id)
    .where((eb) => eb.and({ platform, tenant, project }))
    .execute()
  return rows.map(({ key }) => key)
}

/** Its message is gone, and another one is posted in its place. */
export async function forgetPosted(tx: Tx, key: string): Promise<void> {
  await tx.db
    .updateTable('postings')
    .set({ platform_id: null, note: null, begun_at: tx.now })
    .where('key', '=', key)
    .execute()
}

/** Whether a message is known as the posting of another key. */
export async function isOther(db: Db, session: SessionId, key: string, id: string): Promise<boolean> {
  const known = await keyOfMessage(db, session, id)
  return known !== undefined && known !== key
}
