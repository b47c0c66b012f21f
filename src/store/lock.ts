import type { LockRow } from './schema.ts'
import type { Store, Tx } from './store.ts'

/** The one lock there is: who runs the engine on this database. */
const name = 'engine'

type Holder = Pick<LockRow, 'holder' | 'host' | 'pid'>

/**
 * One process at a time runs the engine on a database. Takes the lock when it is free, ours, or its holder is gone by
 * `isGone`; otherwise returns who has it.
 */
export function takeLock(store: Store, me: Holder, isGone: (row: LockRow) => boolean): Promise<LockRow | undefined> {
  return store.transaction(async (tx) => {
    const row = await tx.db.selectFrom('locks').selectAll().where('name', '=', name).executeTakeFirst()
    if (row !== undefined && row.holder !== me.holder && !isGone(row)) return row
    const mine = { ...me, beat_at: tx.now }
    await tx.db
      .insertInto('locks')
      .values({ name, ...mine })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(mine))
      .execute()
    return undefined
  })
}

/** False when somebody else holds it by now. */
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

export function dropLock(store: Store, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.deleteFrom('locks').where('name', '=', name).where('holder', '=', holder).execute()
  })
}

/** False when nobody runs the engine, or we do. */
export async function isLockedByAnother(tx: Tx, holder: string): Promise<boolean> {
  const row = await tx.db.selectFrom('locks').select('holder').where('name', '=', name).executeTakeFirst()
  return row !== undefined && row.holder !== holder
}
