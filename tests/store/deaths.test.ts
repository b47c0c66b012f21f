import { expect, test } from 'vitest'
import { acquire } from '../../src/store/hold-session.ts'
import { nodesOf, takeLock, takeLocksFrom } from '../../src/store/lock.ts'
import { nodeName } from '../../src/store/lock-names.ts'
import type { LockRow } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { createTurn, openTurn } from '../../src/store/turns.ts'
import { acquireTurn } from '../../src/turn/state/next-turn.ts'
import { ana, newSession, openStore } from '../support/store.ts'

/** Two processes, one of which runs a turn. */
async function running(store: Store) {
  for (const name of ['a', 'b']) {
    const me = { holder: `node_${name}`, host: 'elsewhere', pid: 1 }
    expect(await takeLock(store, me, () => undefined, nodeName(name))).toBe(undefined)
  }
  const session = await newSession(store)
  await store.transaction((tx) => createTurn(tx, session.id, 1, { person: ana, timeZone: 'UTC' }))
  await store.transaction((tx) => acquire(tx, session.id, 'node_a'))
  return session
}

const deathsOf = async (store: Store, { id }: Awaited<ReturnType<typeof running>>) =>
  (await openTurn(store.db, id))?.deaths

test.each<[string, Partial<LockRow>, number]>([
  ['still there, as far as anybody knows', { leaving: 0 }, 1],
  ['told to end', { leaving: 1 }, 0],
  ['told to be drained', { state: 'draining' }, 0],
])('a turn that is taken from a process that is %s', async (_, row, deaths) => {
  const store = await openStore()
  const session = await running(store)
  await store.transaction((tx) => tx.db.updateTable('locks').set(row).where('holder', '=', 'node_a').execute())
  await acquireTurn(store, session.id, 'node_b')
  expect(await deathsOf(store, session)).toBe(deaths)
})

test('a process that went silent counts against its turns once, whoever takes them', async () => {
  const store = await openStore()
  const session = await running(store)
  const [silent] = await nodesOf(store.db)
  if (silent === undefined) throw new Error('there is no process')
  expect(await takeLocksFrom(store, silent, 'node_b')).toBe(true)
  expect(await takeLocksFrom(store, silent, 'node_b')).toBe(false)
  await acquireTurn(store, session.id, 'node_b')
  expect(await deathsOf(store, session)).toBe(1)
})
