import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { claimJob, finishJob, startJob } from '../../src/store/jobs.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { takeAllLocks, takeLock } from '../../src/store/lock.ts'
import { writeMove } from '../../src/store/moved.ts'
import { Store } from '../../src/store/store.ts'
import { postgresDatabase } from '../support/database.ts'
import { newPlace, newSession } from '../support/store.ts'
import { isOneWaiting, two } from '../support/two-stores.ts'
import { until } from '../support/until.ts'
import { moveHere } from './support.ts'

test('what a process was doing that was silent when its bot was moved, it can not store any more', async () => {
  const place = await newPlace()
  const store = await Store.open(place, systemClock)
  const session = await newSession(store)
  await takeLock(store, { holder: 'frozen', host: 'elsewhere', pid: 1 }, () => undefined)
  const lease = await store.transaction((tx) => acquire(tx, session.id, 'frozen'))
  const job = await store.transaction(async (tx) => {
    const id = await startJob(tx, { kind: 'any', key: 'k', owner: 'bot', input: null })
    return claimJob(tx, id, 'frozen')
  })
  if (job === undefined) throw new Error('it is free')
  await moveHere(place, await postgresDatabase())
  await expect(store.fenced(lease.lease, async () => 'written')).rejects.toThrow(LeaseLost)
  expect(await store.transaction((tx) => finishJob(tx, job))).toBe(false)
  await expect(store.transaction((tx) => acquire(tx, session.id, 'frozen'))).rejects.toThrow(LeaseLost)
  await store.close()
})

test('a process that starts while its bot is about to leave is told so, and does not start', async () => {
  const [store, other] = await two()
  let starting: Promise<unknown> = Promise.resolve()
  let hasStarted = false
  await takeAllLocks(
    store,
    { holder: 'mover', host: 'here', pid: 1 },
    () => 'dead',
    async ({ db }) => {
      starting = takeLock(other, { holder: 'starting', host: 'here', pid: 2 }, () => undefined, 'node one')
      void starting.then(
        () => {
          hasStarted = true
        },
        () => {},
      )
      await until('the other one to wait', async () => hasStarted || (await isOneWaiting(store.db)))
      await writeMove(db, { id: 'm', state: 'leaving', other: 'elsewhere', at: 1 })
    },
  )
  await expect(starting).rejects.toMatchObject({ code: 'moved' })
})
