import { isReplaced, nodesOf } from './lock.ts'
import { plainNodeName } from './lock-names.ts'
import type { Db, Store, Tx } from './store.ts'

export async function readNote(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('notes').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** The notes whose names begin so. */
export async function notesFrom(db: Db, prefix: string): Promise<[string, string][]> {
  const rows = await db.selectFrom('notes').select(['name', 'value']).where('name', 'like', `${prefix}%`).execute()
  return rows.map(({ name, value }) => [name, value])
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

type Merge = (theirs: string[], ours: string | undefined) => string

/**
 * What a process keeps for the next one, by name. A process that was replaced can't write any more, because its cursors
 * say nothing about what the new one has read. `node`: the name of this one among several.
 */
export function notesIn(store: Store, holder: string, node?: string) {
  const own = (name: string) => (node === undefined ? name : nameAt(name, node))
  return {
    get: (name: string): Promise<string | undefined> => readNote(store.db, name),
    set: (name: string, value: string): Promise<void> =>
      store.transaction(async (tx) => {
        if (!(await isReplaced(tx, holder))) await writeNote(tx, name, value)
      }),
    own,
    async inherit(name: string, merge: Merge): Promise<string | undefined> {
      if ((await leftBehind(store.db, name, own(name))).length === 0) return undefined
      return store.transaction(async (tx) => {
        if (await isReplaced(tx, holder)) return undefined
        const left = await leftBehind(tx.db, name, own(name))
        const taken: string[] = []
        for (const one of left) {
          const row = await tx.db.deleteFrom('notes').where('name', '=', one).returning('value').executeTakeFirst()
          if (row !== undefined) taken.push(row.value)
        }
        if (taken.length === 0) return undefined
        const merged = merge(taken, await readNote(tx.db, own(name)))
        await writeNote(tx, own(name), merged)
        return merged
      })
    },
  }
}

const nameAt = (name: string, node: string): string => `${name}@${node}`

/** The notes of this name that belong to nobody who is there. */
async function leftBehind(db: Db, name: string, own: string): Promise<string[]> {
  const kept = await db
    .selectFrom('notes')
    .select('name')
    .where((eb) => eb.or([eb('name', '=', name), eb('name', 'like', nameAt(name, '%'))]))
    .execute()
  const strangers = kept.filter((one) => one.name !== own).map((one) => one.name)
  if (strangers.length === 0) return []
  const there = (await nodesOf(db)).map((row) => nameAt(name, plainNodeName(row.name) ?? ''))
  return strangers.filter((one) => !there.includes(one))
}
