import { type RawBuilder, sql } from 'kysely'
import { aloneName, ofNodes } from './lock-names.ts'
import { refuseMoved } from './moved.ts'
import { prepared } from './prepared.ts'
import type { LockRow } from './schema.ts'
import type { Db, Store, Tx } from './store.ts'
import { countDeaths } from './turns.ts'

type Holder = Pick<LockRow, 'holder' | 'host' | 'pid'> & { version?: string }

/** `dead`: its process has ended. `silent`: it may be frozen. */
export type Gone = 'dead' | 'silent'

const isHolder = (holder: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from locks where locks.holder = ${holder} and locks.state <> 'drained')`

/** The note that says that somebody has held a lock. Like all that begin so, it isn't moved to another database. */
const lockedNote = 'store.locked'

/**
 * Whether a process may work: it holds a lock and isn't drained, or nobody has ever held one. What it was doing when it
 * lost its lock to another one can't be written any more, not even once that one has stopped and nobody holds any.
 */
export const mayWork = (holder: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${isHolder(holder)} or not (exists (select 1 from locks)
    or exists (select 1 from notes where notes.name = ${sql.lit(lockedNote)})))`

/** Whether the process that is named in this column is gone, or drained. */
export const isGone = (column: string): RawBuilder<boolean> => sql<boolean>`not ${isHolder(sql.ref(column))}`

/**
 * Whether the end of a process counts against its turns. One that is alone may only be frozen. On another machine
 * nobody can tell, and a turn that takes down one machine after another has to end.
 */
const isDeath = ({ name, leaving }: LockRow, gone: Gone): boolean =>
  leaving === 0 && (gone === 'dead' || name !== aloneName)

/**
 * Only one process at a time holds a lock. Takes it if it is free, ours, or its holder is gone by `goneBy`; otherwise
 * returns the holder. If the holder died without being told to stop, that counts against its turns. Throws `moved`.
 */
export function takeLock(
  store: Store,
  own: Holder,
  goneBy: (row: LockRow) => Gone | undefined,
  name = aloneName,
): Promise<LockRow | undefined> {
  return store.transaction(async (tx) => {
    // Whoever takes all locks, to move the database, either sees this one or is seen.
    await tx.alone(aloneName)
    await refuseMoved(tx.db)
    await tx.alone(name)
    const row = await tx.db.selectFrom('locks').selectAll().where('name', '=', name).executeTakeFirst()
    const gone = row === undefined || row.holder === own.holder ? undefined : goneBy(row)
    if (row !== undefined && row.holder !== own.holder && gone === undefined) return row
    if (row !== undefined) await tx.alone(row.holder)
    if (row !== undefined && gone !== undefined && isDeath(row, gone)) await countDeaths(tx, row.holder)
    // Whatever else it held is free.
    if (row !== undefined && row.holder !== own.holder)
      await tx.db.deleteFrom('locks').where('holder', '=', row.holder).where('name', '!=', name).execute()
    const mine = { ...own, ...begun(tx) }
    await noteLocked(tx)
    await tx.db
      .insertInto('locks')
      .values({ name, ...mine })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(mine))
      .execute()
    return undefined
  })
}

async function noteLocked({ db, now }: Tx): Promise<void> {
  const note = { name: lockedNote, value: '', updated_at: now }
  await db
    .insertInto('notes')
    .values(note)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

const begun = ({ now }: Tx) => ({ beat_at: now, leaving: 0, started_at: now, state: 'working' as const, url: null })

/**
 * Takes all locks, provided that their holders are gone; otherwise returns one that isn't. From then on nobody else may
 * work. Does what belongs to it in the same transaction.
 */
export function takeAllLocks(
  store: Store,
  own: Holder,
  goneBy: (row: LockRow) => Gone | undefined,
  along: (tx: Tx) => Promise<void>,
): Promise<LockRow | undefined> {
  return store.transaction(async (tx) => {
    await tx.alone(aloneName)
    const rows = await allLocks(tx.db)
    const there = rows.find((row) => goneBy(row) === undefined)
    if (there !== undefined) return there
    for (const [holder, [row]] of Map.groupBy(rows, (one) => one.holder)) {
      await tx.alone(holder)
      const gone = row && goneBy(row)
      if (gone !== undefined && row !== undefined && isDeath(row, gone)) await countDeaths(tx, holder)
      await fenceOff(tx, holder)
    }
    await along(tx)
    await tx.db.deleteFrom('locks').execute()
    await noteLocked(tx)
    const mine = { name: aloneName, ...own, ...begun(tx) }
    await tx.db.insertInto('locks').values(mine).execute()
    return undefined
  })
}

/** What this process was doing can't be written any more, should it wake up. */
async function fenceOff(tx: Tx, holder: string): Promise<void> {
  for (const table of ['sessions', 'jobs'] as const)
    await tx.db
      .updateTable(table)
      .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
      .where('holder', '=', holder)
      .execute()
}

/** False when somebody else holds it. */
export function beatLock(store: Store, holder: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const beaten = await tx.db
      .updateTable('locks')
      .set({ beat_at: tx.now })
      .where('holder', '=', holder)
      .returning('name')
      .executeTakeFirst()
    return beaten !== undefined
  })
}

/** Says where its console listens. */
export function noteUrl(store: Store, holder: string, url: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.updateTable('locks').set({ url }).where('holder', '=', holder).execute()
  })
}

/** The holder was told to stop, so its end doesn't count against its turns. */
export function leaveLock(store: Store, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.updateTable('locks').set({ leaving: 1 }).where('holder', '=', holder).execute()
  })
}

export function dropLock(store: Store, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.deleteFrom('locks').where('holder', '=', holder).execute()
  })
}

export const readLock = (db: Db, name: string): Promise<LockRow | undefined> =>
  db.selectFrom('locks').selectAll().where('name', '=', name).executeTakeFirst()

export const allLocks = (db: Db): Promise<LockRow[]> =>
  db.selectFrom('locks').selectAll().orderBy('holder').orderBy('name').execute()

/** The processes that share the work. */
export const nodesOf = (db: Db): Promise<LockRow[]> =>
  db.selectFrom('locks').selectAll().where('name', 'like', `${ofNodes}%`).orderBy('name').execute()

/** The same, and a process that is alone. */
export const locksOfNodes = (db: Db): Promise<LockRow[]> =>
  db
    .selectFrom('locks')
    .selectAll()
    .where((eb) => eb.or([eb('name', '=', aloneName), eb('name', 'like', `${ofNodes}%`)]))
    .orderBy('name')
    .execute()

/** Whether another process works, as far as its last beat tells, and began at least this long ago. */
export async function worksBeside(
  { db, now }: Tx,
  holder: string,
  { silentMs, forMs }: { silentMs: number; forMs: number },
): Promise<boolean> {
  const others = (await nodesOf(db)).filter((node) => node.holder !== holder && node.state === 'working')
  return others.some((node) => node.beat_at > now - silentMs && node.started_at <= now - forMs)
}

/**
 * Takes the locks of a process that no longer beats, and counts that against its turns. False when it has beaten since,
 * somebody else was first, or this process was replaced itself.
 */
export function takeLocksFrom(store: Store, from: LockRow, holder: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.alone(from.holder)
    if (await isLockedByAnother(tx.db, holder)) return false
    const taken = await tx.db
      .deleteFrom('locks')
      .where('holder', '=', from.holder)
      .where('beat_at', '=', from.beat_at)
      .returningAll()
      .executeTakeFirst()
    if (taken !== undefined && isDeath(taken, 'silent')) await countDeaths(tx, from.holder)
    return taken !== undefined
  })
}

/** Whether another process has taken our lock; that stays so until the transaction ends. */
export async function isReplaced(tx: Tx, holder: string): Promise<boolean> {
  await tx.alone(holder)
  return isLockedByAnother(tx.db, holder)
}

/** False when we hold the lock, or nobody has ever held it. */
export async function isLockedByAnother(db: Db, holder: string): Promise<boolean> {
  const [row] = await locker(db, { holder })
  return row === undefined
}

const locker = prepared((db, { holder }: { holder: string }) =>
  db.selectNoFrom(sql.lit(1).as('one')).where(mayWork(sql.val(holder))),
)
