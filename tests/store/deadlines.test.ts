import { expect, test } from 'vitest'
import { insertCalls } from '../../src/store/calls.ts'
import { leaveTimeIfAlone, leavingTime, setDeadline } from '../../src/store/deadlines.ts'
import { pendingRequests } from '../../src/store/list-requests.ts'
import { beatLock, takeLock } from '../../src/store/lock.ts'
import { nodeName } from '../../src/store/lock-names.ts'
import { insertRequest } from '../../src/store/requests.ts'
import type { Tx } from '../../src/store/store.ts'
import { createTurn } from '../../src/store/turns.ts'
import { ana, newSession, openStore } from '../support/store.ts'

/** A question that is due in 30 s, on a clock that stands still until it is moved. */
async function asked() {
  const clock = { at: 1_000_000, now: () => clock.at }
  const store = await openStore(clock)
  const { id: session } = await newSession(store)
  await store.transaction(async (tx) => {
    const { id: turn } = await createTurn(tx, session, 1, { person: ana, timeZone: 'UTC' })
    await insertCalls(tx, session, turn, 1, [{ id: 'call_a', name: 'ask', arguments: '{}' }])
    const payload = { question: 'Which?', options: [], multiple: false, required: true }
    const ids = { session, turn, call: 'call_a' as const, hash: 'h' }
    await insertRequest(tx, { ...ids, kind: 'question', payload, deadlineAt: clock.at + 30_000 })
  })
  const leftMs = async () => {
    const [request] = await pendingRequests(store.db, session)
    return (request?.deadlineAt ?? 0) - clock.at
  }
  const lock = (holder: string) =>
    takeLock(store, { holder, host: 'here', pid: 1 }, () => 'dead' as const, nodeName(holder))
  const dueIn = (ms: number) =>
    store.transaction(async (tx) => {
      for (const { id } of await pendingRequests(tx.db, session)) await setDeadline(tx, id, clock.at + ms)
    })
  return { clock, store, leftMs, dueIn, lock }
}

test('a start leaves people time to answer unless another process ran meanwhile', async () => {
  const { clock, store, leftMs, lock } = await asked()
  const start = () => leaveTimeIfAlone(store, 'own', 10_000)

  // Both begin at the same time, so nobody ran before.
  await lock('other')
  await lock('own')
  await start()
  expect(await leftMs()).toBe(60_000)

  clock.at += 60_000
  await beatLock(store, 'other')
  await lock('own')
  await start()
  expect(await leftMs()).toBe(0)

  clock.at += 20_000
  await lock('own')
  await start()
  expect(await leftMs()).toBe(60_000)
})

/** Another process has worked for long beside this one, and works at each pause. */
async function pausing() {
  const { clock, store, leftMs, dueIn, lock } = await asked()
  await lock('other')
  await lock('own')
  const steady = { at: 0 }
  const undone = { next: false }
  const leave = leavingTime({ transaction }, 'own', 10_000, () => steady.at)
  function transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return store.transaction(async (tx) => {
      const result = await work(tx)
      if (!undone.next) return result
      undone.next = false
      throw new Error('cut')
    })
  }
  const pass = (ms: number) => {
    clock.at += ms
    steady.at += ms
  }
  pass(7_200_000)
  const pause = async (forMs = 12_000) => {
    await beatLock(store, 'other')
    await leave(forMs)
  }
  return { clock, leftMs, dueIn, leave, pass, pause, undone }
}

test('a pause leaves people time to answer, unless it is one of many of a process beside others', async () => {
  const { leftMs, leave, pass, pause } = await pausing()
  await pause()
  expect(await leftMs()).toBe(60_000)

  // The other one can be answered all the while.
  pass(50_000)
  await pause()
  expect(await leftMs()).toBe(10_000)

  pass(15_000)
  await leave(12_000)
  expect(await leftMs()).toBe(60_000)

  pass(600_000)
  await pause()
  expect(await leftMs()).toBe(60_000)
})

test('a pause in which any question would have ended leaves time however soon after another', async () => {
  const { leftMs, pass, pause } = await pausing()
  await pause()
  pass(300_000)
  await pause(300_000)
  expect(await leftMs()).toBe(60_000)
})

test('a pause leaves time even if that can only be stored with the second attempt', async () => {
  const { leftMs, pause, undone } = await pausing()
  undone.next = true
  await expect(pause()).rejects.toThrow('cut')
  expect(await leftMs()).toBeLessThan(60_000)
  await pause()
  expect(await leftMs()).toBe(60_000)
})

test('a clock that was set back doesn’t make two pauses that are far apart count as many', async () => {
  const { clock, leftMs, dueIn, pass, pause } = await pausing()
  await pause()
  clock.at -= 3_600_000
  pass(1_500_000)
  await dueIn(10_000)
  await pause()
  expect(await leftMs()).toBe(60_000)
})
