import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/domain/ids.ts'
import { SharedDuty } from '../../src/engine/duty.ts'
import { takeProcessLock } from '../../src/engine/process-lock.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { nodesOf, takeLocksFrom } from '../../src/store/lock.ts'
import { setDrained } from '../../src/store/nodes.ts'
import { Store } from '../../src/store/store.ts'
import { postgresDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

/** Processes that share a duty, each with what it did. */
async function open() {
  const url = await postgresDatabase()
  return async (node: string, fails = () => false) => {
    const holder = newId('node')
    const store = await Store.open(url, systemClock, undefined, { holder })
    const lock = await takeProcessLock(store, { silentMs: 60_000, lost: () => {}, node, holder })
    const duty = new SharedDuty(store, 'test', holder, () => {})
    const did: string[] = []
    await duty.take({
      async begin() {
        if (fails()) throw new Error('The database is away.')
        did.push('began')
      },
      async end() {
        did.push('ended')
        await duty.notes.set('cursor', `the last word of ${node}`)
      },
    })
    onTestFinished(async () => {
      await Promise.allSettled([duty.leave(), lock.release()])
      await store.close().catch(() => {})
    })
    return { store, lock, duty, did }
  }
}

test('a duty is one’s until it is given up, and what was noted last is known to the next', async () => {
  const start = await open()
  const one = await start('one')
  const two = await start('two')
  expect([one.did, two.did]).toEqual([['began'], []])
  expect(two.duty.heldBy).toEqual({ node: 'one', isHere: false, isSettled: false, except: [] })
  one.duty.settled(true)
  await until('the news', () => two.duty.heldBy?.isSettled)
  for (let missing = 1; missing <= 3; missing++) one.duty.settled(true, ['a', 'b', 'c'].slice(0, missing))
  await until('the exceptions', () => two.duty.heldBy?.except.join() === 'a,b,c')
  expect(two.duty.heldBy?.isSettled).toBe(true)
  await two.duty.notes.set('cursor', 'of somebody else')
  await one.lock.leave()
  await one.duty.leave()
  await until('the duty', () => two.did.length === 1)
  expect(one.did).toEqual(['began', 'ended'])
  expect(await two.duty.notes.get('cursor')).toBe('the last word of one')
  expect(two.duty.heldBy).toEqual({ node: 'two', isHere: true, isSettled: false, except: [] })
})

test('who could not begin tries again', async () => {
  const start = await open()
  const one = await start('one')
  let tries = 0
  const two = await start('two', () => tries++ === 0)
  await one.lock.leave()
  await one.duty.leave()
  await until('the second try', () => two.did.length === 1)
  expect(tries).toBe(2)
})

test('what could not be told to the others is told with the next look', async () => {
  const start = await open()
  const { store, duty } = await start('one')
  const other = await start('two')
  const { transaction } = store
  let failures = 0
  store.transaction = () => {
    failures++
    store.transaction = transaction
    throw new Error('The database is away.')
  }
  duty.settled(true, ['server'])
  await until('the other one to know', () => other.duty.heldBy?.except.includes('server'))
  expect(failures).toBe(1)
})

test('whoever was replaced ends, doesn’t take it back, and can’t write its notes', async () => {
  const start = await open()
  const one = await start('one')
  const two = await start('two')
  await one.duty.notes.set('cursor', 'of one')
  const [row] = (await nodesOf(two.store.db)).filter(({ name }) => name === 'node one')
  if (row === undefined) throw new Error('there is no such node')
  await takeLocksFrom(two.store, row, two.lock.holder)
  await until('the duty', () => two.did.length === 1)
  await until('the end', () => one.did.length === 2)
  await one.duty.look()
  expect(one.did).toEqual(['began', 'ended'])
  expect(await one.duty.notes.get('cursor')).toBe('of one')
  expect(one.duty.heldBy).toBeUndefined()
})

test('who was drained while the database was away has given it up', async () => {
  const start = await open()
  const one = await start('one')
  const two = await start('two')
  one.duty.settled(true)
  await until('the news', () => two.duty.heldBy?.isSettled)
  one.store.transaction = () => Promise.reject(new Error('The database is away.'))
  await expect(one.duty.leave()).rejects.toThrow('away')
  two.duty.doubt()
  expect(two.duty.heldBy).toMatchObject({ node: 'one', isSettled: false })
  await two.duty.look()
  expect([two.duty.heldBy?.node, two.did]).toEqual(['one', []])
  await setDrained(two.store, one.lock.holder)
  await until('the duty', () => two.did.length === 1)
  expect(two.duty.heldBy).toMatchObject({ node: 'two', isHere: true, isSettled: false })
  two.duty.settled(true)
  await until('the news', () => two.duty.heldBy?.isSettled)
  two.duty.doubt()
  expect(two.duty.heldBy).toMatchObject({ isHere: true, isSettled: true })
})

test('a process that is about to end takes no duty', async () => {
  const start = await open()
  const one = await start('one')
  const two = await start('two')
  await two.lock.leave()
  await one.duty.leave()
  await two.duty.look()
  expect(two.did).toEqual([])
})

test('the next life of a process that was killed finds the duty free', async () => {
  const start = await open()
  const one = await start('one')
  await one.store.close()
  // It has the same process id, as in a container.
  const next = await start('one')
  expect(next.did).toEqual(['began'])
})
