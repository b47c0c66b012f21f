import { prepared } from './prepared.ts'
import type { LockRow } from './schema.ts'
import type { Db, Store, Tx } from './store.ts'
import { countDeaths } from './turns.ts'

/** The only lock: who runs the engine on this database. */
const name = 'engine'

type Holder = Pick<LockRow, 'holder' | 'host' | 'pid'>

/** `dead`: its process has ended. `silent`: it may be frozen. */
export type Gone = 'dead' | 'silent'

/**
 * One process at a time runs the engine on a database. Takes the lock if it is free, ours, or its holder is gone by
 * `goneBy`; otherwise returns the holder. If the holder died without being told to stop, that counts against its turns.
 */
export function takeLock(
  store: Store,
  me: Holder,
  goneBy: (row: LockRow) => Gone | undefined,
): Promise<LockRow | undefined> {
  return store.transaction(async (tx) => {
    await tx.alone(name)
    const row = await tx.db.selectFrom('locks').selectAll().where('name', '=', name).executeTakeFirst()
    const gone = row === undefined || row.holder === me.holder ? undefined : goneBy(row)
    if (row !== undefined && row.holder !== me.holder && gone === undefined) return row
    if (row !== undefined && gone === 'dead' && row.leaving === 0) await countDeaths(tx, row.holder)
    const mine = { ...me, beat_at: tx.now, leaving: 0 }
    await tx.db
      .insertInto('locks')
      .values({ name, ...mine })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(mine))
      .execute()
    return undefined
  })
}

/** False when somebody else holds it. */
export function beatLock(store: Store, holder: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const beaten = await tx.db
      .updateTable('locks')
      .set({ beat_at: tx.now })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .returning('name')
      .executeTakeFirst()
    return beaten !== undefined
  })
}

/** The holder was told to stop, so its end doesn't count against its turns. */
export function leaveLock(store: Store, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.updateTable('locks').set({ leaving: 1 }).where('name', '=', name).where('holder', '=', holder).execute()
  })
}

export function dropLock(store: Store, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.deleteFrom('locks').where('name', '=', name).where('holder', '=', holder).execute()
  })
}

/** Whether somebody else holds it, and stays so until the transaction ends. */
export async function isReplaced(tx: Tx, holder: string): Promise<boolean> {
  await tx.alone(name)
  return isLockedByAnother(tx.db, holder)
}

/** False when nobody runs the engine, or we do. */
export async function isLockedByAnother(db: Db, holder: string): Promise<boolean> {
  const [row] = await locker(db, {})
  return row !== undefined && row.holder !== holder
}

const locker = prepared((db) => db.selectFrom('locks').select('holder').where('name', '=', name))
