import { sql } from 'kysely'
import { isReplaced } from './lock.ts'
import { readNote, writeNote } from './notes.ts'
import type { Db, Store } from './store.ts'

/** The name of a process's own note. */
const ownName = (name: string, holder: string): string => `${name} of ${holder}`

const keysIn = (value: string | undefined): string[] => (value === undefined ? [] : JSON.parse(value))

/** The notes with this name of all processes but this one. `gone`: of those that are no more, or of the others. */
async function notesOf(
  db: Db,
  name: string,
  holder: string,
  gone: boolean,
): Promise<{ name: string; value: string }[]> {
  const prefix = ownName(name, '')
  const holds = sql<boolean>`exists (select 1 from locks where ${prefix} || locks.holder = notes.name)`
  return db
    .selectFrom('notes')
    .select(['name', 'value'])
    .where('name', 'like', `${prefix}%`)
    .where('name', '!=', ownName(name, holder))
    .where(gone ? sql<boolean>`not ${holds}` : holds)
    .execute()
}

/** Sets of keys that each of several processes notes for itself. */
export const nodeNotes = (store: Store, holder: string) => ({
  set: (name: string, keys: string[]): Promise<void> =>
    store.transaction(async (tx) => {
      if (!(await isReplaced(tx, holder))) await writeNote(tx, ownName(name, holder), JSON.stringify(keys))
    }),
  /** The keys of processes that are no more; they are noted as ours now. */
  async inherit(name: string): Promise<string[]> {
    if ((await notesOf(store.db, name, holder, true)).length === 0) return []
    return store.transaction(async (tx) => {
      await tx.alone(name)
      if (await isReplaced(tx, holder)) return []
      const left = await notesOf(tx.db, name, holder, true)
      const keys = left.flatMap(({ value }) => keysIn(value))
      const mine = keysIn(await readNote(tx.db, ownName(name, holder)))
      await writeNote(tx, ownName(name, holder), JSON.stringify([...new Set([...mine, ...keys])]))
      for (const note of left) await tx.db.deleteFrom('notes').where('name', '=', note.name).execute()
      return keys
    })
  },
  /** Whether one of the other processes has noted this key. */
  async isOthers(name: string, key: string): Promise<boolean> {
    return (await notesOf(store.db, name, holder, false)).some(({ value }) => keysIn(value).includes(key))
  },
})
