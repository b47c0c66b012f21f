import { expect, test } from 'vitest'
import { NodesSeen, watchNodes } from '../../src/engine/watch-nodes.ts'
import type { NodeState } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { openStore } from '../support/store.ts'

const node = (holder: string, beat_at: number, state: NodeState = 'working') => ({
  ...{ name: `node ${holder}`, holder, beat_at, host: 'here', pid: 1 },
  ...{ leaving: 0, started_at: 0, version: null, url: null, state },
})

/** Looks every 100 ms from one time to another, and says who was silent for more than a second at the end. */
function watching(
  seen: NodesSeen,
  from: number,
  to: number,
  beats: (at: number) => Record<string, number>,
  own?: (at: number) => number,
): string[] {
  let silent: string[] = []
  for (let at = from; at <= to; at += 100) {
    const nodes = Object.entries(beats(at)).map(([holder, beat]) => node(holder, beat))
    silent = seen.look(nodes, at, own && node('me', own(at))).silent.map(({ holder }) => holder)
  }
  return silent
}

test('a process that no longer beats is silent, whatever its clock says', () => {
  const late = 120_000
  const beats = (at: number) => ({ beats: at + late, frozen: late })
  expect(watching(new NodesSeen(1_000), 0, 1_000, beats)).toEqual([])
  expect(watching(new NodesSeen(1_000), 0, 1_100, beats)).toEqual(['frozen'])
})

test('whoever was frozen itself, or could not look, does not take the others for silent', () => {
  const seen = new NodesSeen(1_000)
  watching(seen, 0, 500, () => ({ other: 1 }))
  expect(watching(seen, 60_000, 60_900, () => ({ other: 1 }))).toEqual([])
  expect(watching(seen, 61_000, 61_100, () => ({ other: 1 }))).toEqual(['other'])
})

test('whoever can’t beat itself does not take the others for silent, and then gives them time to beat again', () => {
  const seen = new NodesSeen(1_000)
  const others = (from: number, to: number, own: (at: number) => number) =>
    watching(seen, from, to, () => ({ other: 1 }), own)
  expect(others(0, 500, (at) => at)).toEqual([])
  // The server can be read, and not written.
  expect(others(600, 5_000, () => 500)).toEqual([])
  expect(others(5_100, 6_000, (at) => at)).toEqual([])
  expect(others(6_100, 6_100, (at) => at)).toEqual(['other'])
})

test('it is told that somebody has gone', () => {
  const seen = new NodesSeen(1_000)
  expect(seen.look([node('one', 1)], 0).hasGone).toBe(false)
  expect(seen.look([], 100).hasGone).toBe(true)
  expect(seen.look([], 200).hasGone).toBe(false)
})

test('it is told once that somebody is drained, and that one still has to beat', () => {
  const seen = new NodesSeen(1_000)
  expect(seen.look([node('one', 1, 'draining')], 0).hasGone).toBe(false)
  expect(seen.look([node('one', 2, 'drained')], 100).hasGone).toBe(true)
  expect(seen.look([node('one', 3, 'drained')], 200).hasGone).toBe(false)
  expect(watching(seen, 300, 1_400, () => ({ one: 3 }))).toEqual(['one'])
})

test('work of a process that is gone is taken over later, if that fails at first', async () => {
  const store = await openStore()
  const lock = { ...node('other', 1), name: 'node other' }
  await store.transaction(({ db }) => db.insertInto('locks').values(lock).execute())
  let tries = 0
  const gone = async () => {
    if (++tries === 1) throw new Error('the database is away')
  }
  const look = watchNodes(store, 'me', new NodesSeen(60_000), { gone, drain: () => {} })
  await look()
  expect(tries).toBe(0)
  await store.transaction(({ db }) => db.deleteFrom('locks').execute())
  await expect(look()).rejects.toThrow('the database is away')
  await look()
  await look()
  expect(tries).toBe(2)
})

test('work of a process that is gone is taken over even if the locks of a silent one can’t be taken at first', async () => {
  const store = await openStore()
  const locks = ['gone', 'silent'].map((holder) => ({ ...node(holder, 1), name: `node ${holder}` }))
  await store.transaction(({ db }) => db.insertInto('locks').values(locks).execute())
  let isAway = false
  const away = () => Promise.reject(new Error('the database is away'))
  const onlyRead: Store = Object.create(store, {
    transaction: {
      value: (...work: Parameters<Store['transaction']>) => (isAway ? away() : store.transaction(...work)),
    },
  })
  let tries = 0
  const look = watchNodes(onlyRead, 'me', new NodesSeen(-1), { gone: async () => void tries++, drain: () => {} })
  await look()
  await store.transaction(({ db }) => db.deleteFrom('locks').where('holder', '=', 'gone').execute())
  isAway = true
  await expect(look()).rejects.toThrow('the database is away')
  isAway = false
  await look()
  await look()
  expect(tries).toBe(1)
})
