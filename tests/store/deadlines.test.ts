import { expect, test } from 'vitest'
import { insertCalls } from '../../src/store/calls.ts'
import { leaveTimeIfAlone, leavingTime } from '../../src/store/deadlines.ts'
import { beatLock, takeLock } from '../../src/store/lock.ts'
import { nodeName } from '../../src/store/lock-names.ts'
import { insertRequest, pendingRequests } from '../../src/store/requests.ts'
import { createTurn } from '../../src/store/turns.ts'
import { ana, newSession, openStore } from '../support/store.ts'

test('a start leaves people time to answer unless another process ran meanwhile; a pause does unless it is one of many', async () => {
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

  const pause = leavingTime(store, 'own', 10_000)
  clock.at += 5_000
  await pause()
  expect(await leftMs()).toBe(60_000)

  // The other one can be answered all the while.
  clock.at += 50_000
  await beatLock(store, 'other')
  await pause()
  expect(await leftMs()).toBe(10_000)

  clock.at += 15_000
  await pause()
  expect(await leftMs()).toBe(60_000)

  clock.at += 600_000
  await beatLock(store, 'other')
  await pause()
  expect(await leftMs()).toBe(60_000)
})
