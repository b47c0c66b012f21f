import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { LooksWhenDue } from '../../src/engine/look-when-due.ts'
import { writeNote } from '../../src/store/notes.ts'
import { Store } from '../../src/store/store.ts'
import { newPlace } from '../support/store.ts'
import { until } from '../support/until.ts'

const nextAt = sql<number | null>`select min(cast(value as bigint)) from notes where name = 'due'`

/** Looks at what is due, on a clock that stands still until it is moved. */
async function looking({ isBusy, resting }: { isBusy?: () => boolean; resting?: Promise<void> } = {}) {
  const counted = { ticks: 0, asked: 0, looks: 0 }
  const clock = { at: 1_000 }
  const machine = { at: 0 }
  const pauses: { looks: number }[] = []
  const now = () => {
    counted.ticks++
    return clock.at
  }
  const onStatement = (statement: string) => {
    if (statement.includes('next_0')) counted.asked++
  }
  const store = await Store.open(await newPlace(), { now: () => clock.at }, undefined, { onStatement })
  const faults: unknown[] = []
  const hooks = {
    report: (thrown: unknown) => void faults.push(thrown),
    async wentBack() {},
    async paused() {
      pauses.push({ looks: counted.looks })
      await resting
    },
  }
  const all = new LooksWhenDue(store, { now }, 1, hooks, { now: () => machine.at })
  const look = async () => void counted.looks++
  all.add({ nextAt: () => nextAt, look, report: () => {}, ...(isBusy && { isBusy }) })
  onTestFinished(async () => {
    await all.stop()
    await store.close()
    expect(faults).toEqual([])
  })
  all.start()
  const ticks = (more: number) => {
    const end = counted.ticks + more
    return until('some ticks', () => counted.ticks > end)
  }
  await ticks(3)
  return {
    ...{ all, clock, machine, pauses, store, counted, ticks },
    due: (at: number) => store.transaction((tx) => writeNote(tx, 'due', String(at))),
  }
}

test('the database is asked when something was stored or is due, and else once a second', async () => {
  const { clock, counted, due, ticks } = await looking()
  const begun = performance.now()
  await ticks(100)
  expect(counted.asked).toBeLessThanOrEqual(2 + (performance.now() - begun) / 1_000)

  const before = counted.asked
  await due(2_000)
  await until('what was stored to be seen', () => counted.asked > before)
  await ticks(10)
  expect(counted.looks).toBe(0)
  clock.at = 2_000
  await until('the look', () => counted.looks > 0)
})

test('what another process stored is found too', async () => {
  const { store, counted } = await looking()
  await sql`insert into notes (name, value, updated_at) values ('due', '1000', 0)`.execute(store.db)
  await until('the look', () => counted.looks > 0)
})

test('that the machine was suspended is noticed before anything is looked at', async () => {
  const { all, clock, machine, pauses, counted, due } = await looking()
  await due(2_000)
  expect(all.awakeSince).toBe(1_000)
  machine.at += 3_600_000
  clock.at += 3_600_000
  await until('the look', () => counted.looks > 0)
  expect(pauses).toEqual([{ looks: 0 }])
  expect(all.awakeSince).toBe(clock.at)
})

test('so is that it was suspended again, or the database didn’t answer, before the first time was dealt with', async () => {
  const { promise: resting, resolve } = Promise.withResolvers<void>()
  const { machine, pauses, counted, due } = await looking({ resting })
  machine.at += 3_600_000
  await until('the first pause to be noticed', () => pauses.length === 1)
  for (let seconds = 0; seconds < 20; seconds++) {
    machine.at += 1_000
    await sleep(2)
  }
  await due(1_000)
  resolve()
  await until('the look', () => counted.looks > 0)
  expect(pauses).toEqual([{ looks: 0 }, { looks: 0 }])
})

test('whoever is busy looks although nothing is due', async () => {
  let isBusy = false
  const { counted, ticks } = await looking({ isBusy: () => isBusy })
  await ticks(10)
  expect(counted.looks).toBe(0)
  isBusy = true
  await until('the look', () => counted.looks > 2)
})

test('an outage that lasted for long counts as a pause once it is over', async () => {
  const { all, clock, pauses, store, ticks } = await looking()
  async function outage(ms: number): Promise<void> {
    const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
    await expect(store.availability.watch(full)).rejects.toMatchObject({ code: 'disk_full' })
    clock.at += ms
    await ticks(3)
    expect(pauses).toEqual([])
    await store.transaction(async () => {})
  }
  await outage(9_000)
  await ticks(3)
  await outage(11_000)
  await until('the pause to be noticed', () => pauses.length > 0)
  await ticks(3)
  expect([pauses.length, all.awakeSince]).toEqual([1, 21_000])
})
