import type { SessionId } from '../domain/ids.ts'
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

const beginHeld = prepared((db, values: { key: string; session: SessionId; now: number; holder: string }) =>
  db
    .insertInto('postings')
    .values({ key: values.key, session_id: values.session, begun_at: values.now, holder: values.holder })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ holder: values.holder })),
)

/** The same for a live message, which another process may want to continue: until `setPosted` or `endPosting` it waits. */
export async function beginLive(tx: Tx, session: SessionId, key: string, holder: string): Promise<void> {
  await beginHeld(tx.db, { key, session, now: tx.now, holder })
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

const setId = prepared((db, { key, id }: { key: string; id: string }) =>
  db.updateTable('postings').set({ platform_id: id, holder: null }).where('key', '=', key),
)

export async function setPosted(tx: Tx, key: string, id: string): Promise<void> {
  await setId(tx.db, { key, id })
}

export async function setNote(tx: Tx, key: string, note: string): Promise<void> {
  await tx.db.updateTable('postings').set({ note }).where('key', '=', key).execute()
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

/** Whether a message is known as the posting of another key. */
export async function isOther(db: Db, session: SessionId, key: string, id: string): Promise<boolean> {
  const known = await keyOfMessage(db, session, id)
  return known !== undefined && known !== key
}
