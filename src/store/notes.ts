import { isReplaced } from './lock.ts'
import type { Db, Store, Tx } from './store.ts'

export async function readNote(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('notes').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function writeNote(tx: Tx, name: string, value: string): Promise<void> {
  await tx.db
    .insertInto('notes')
    .values({ name, value, updated_at: tx.now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: tx.now }))
    .execute()
}

export async function dropNote(tx: Tx, name: string): Promise<void> {
  await tx.db.deleteFrom('notes').where('name', '=', name).execute()
}

/**
 * What a process keeps for the next one, by name. A process that was replaced can't write any more, because its cursors
 * say nothing about what the new one has read.
 */
export const notesIn = (store: Store, holder: string) => ({
  get: (name: string): Promise<string | undefined> => readNote(store.db, name),
  set: (name: string, value: string): Promise<void> =>
    store.transaction(async (tx) => {
      if (!(await isReplaced(tx, holder))) await writeNote(tx, name, value)
    }),
})
