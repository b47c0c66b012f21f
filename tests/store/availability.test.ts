import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { Availability } from '../../src/store/availability.ts'

const failing = (code: string) => async (): Promise<string> => {
  throw Object.assign(new Error(code), { code })
}
const works = async () => 'stored'

test('a fault is reported when it begins and when it is over, however often something fails meanwhile', async () => {
  const availability = new Availability(systemClock)
  const told: (string | undefined)[] = []
  availability.whenChanged((fault) => told.push(fault?.code))
  for (const code of ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'])
    await expect(availability.watch(failing(code))).rejects.toMatchObject({ code: 'disk_full' })
  expect(told).toEqual(['disk_full'])
  await availability.watch(works)
  await availability.watch(works)
  expect(told).toEqual(['disk_full', undefined])
})

test('errors that waiting cannot fix, or that are not the store’s, are thrown at once', async () => {
  const availability = new Availability(systemClock)
  const waits = () => expect.unreachable('it waits')
  const damaged = availability.patiently(failing('SQLITE_CORRUPT'), waits)
  await expect(damaged).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
  await expect(availability.patiently(failing('other'), waits)).rejects.toThrow('other')
})

test('waiting work continues by itself when there is room, and is told what it waits for', async () => {
  const availability = new Availability(systemClock)
  const waited: string[] = []
  let tries = 0
  const write = () => availability.watch(++tries < 4 ? failing('SQLITE_FULL') : works)
  expect(await availability.patiently(write, ({ code }) => waited.push(code))).toBe('stored')
  expect(waited).toEqual(['disk_full', 'disk_full'])
})

test('a process that leaves waits for nothing', async () => {
  const availability = new Availability(systemClock)
  let tries = 0
  const write = () => {
    // One that went on trying would try for ever.
    if (++tries > 5) return works()
    return failing('SQLITE_FULL')()
  }
  const { promise: waiting, resolve } = Promise.withResolvers<void>()
  const writing = availability.patiently(write, () => resolve())
  await waiting
  availability.leave()
  await expect(writing).rejects.toMatchObject({ code: 'SQLITE_FULL' })
})

test('how long nothing could be stored is told once, when it is over', async () => {
  const clock = { at: 1_000, now: () => clock.at }
  const availability = new Availability(clock)
  const fails = () => expect(availability.watch(failing('SQLITE_FULL'))).rejects.toMatchObject({ code: 'disk_full' })
  await fails()
  clock.at = 61_000
  await fails()
  expect(availability.takeLostMs()).toBe(0)
  clock.at = 91_000
  await availability.watch(works)
  clock.at = 92_000
  await availability.watch(works)
  expect([availability.takeLostMs(), availability.takeLostMs()]).toEqual([90_000, 0])
})

test('an outage begins with the first write that fails, however long that takes, unless another one succeeds meanwhile', async () => {
  const clock = { at: 1_000, now: () => clock.at }
  const availability = new Availability(clock)
  const end = Promise.withResolvers<void>()
  const slow = () => end.promise.then(failing('SQLITE_FULL'))
  const first = availability.watch(slow)
  clock.at = 5_000
  await availability.watch(works)
  clock.at = 7_000
  const second = availability.watch(slow)
  clock.at = 20_000
  end.resolve()
  for (const failed of [first, second]) await expect(failed).rejects.toMatchObject({ code: 'disk_full' })
  clock.at = 25_000
  await availability.watch(works)
  expect(availability.takeLostMs()).toBe(20_000)
})
