import { expect, onTestFinished, test } from 'vitest'
import { takeProcessLock } from '../../src/engine/process-lock.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { Cursor, earliest } from '../../src/platforms/slack/gaps/cursor.ts'
import { nodesOf, takeLocksFrom } from '../../src/store/lock.ts'
import { notesIn } from '../../src/store/notes.ts'
import { Store } from '../../src/store/store.ts'
import { postgresDatabase } from '../support/database.ts'

const hourMs = 3_600_000

/** Processes on one database, each with its cursor. Nothing is written before it is told to be. */
async function open() {
  const store = await Store.open(await postgresDatabase(), systemClock)
  onTestFinished(() => store.close())
  async function start(node: string | undefined) {
    const lock = await takeProcessLock(store, { silentMs: 600_000, lost: () => {}, node })
    onTestFinished(() => lock.release())
    return { lock, cursor: new Cursor(notesIn(store, lock.holder, node), 'heard', hourMs) }
  }
  return { store, start }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Heard everything up to then. */
async function hears({ cursor }: Awaited<ReturnType<Opened['start']>>, at: number) {
  cursor.release(at, cursor.gaps)
  await cursor.flush()
}

/** It is replaced without having said a word. */
async function dies({ store }: Opened, { lock }: Awaited<ReturnType<Opened['start']>>, holder: string) {
  const row = (await nodesOf(store.db)).find((one) => one.holder === lock.holder)
  if (row !== undefined) await takeLocksFrom(store, row, holder)
}

test('from when on something may be missing', () => {
  expect(earliest(['5', '3', '4'])).toBe('3')
  expect(earliest(['5', '3 finished', '4'])).toBe('4')
  expect(earliest(['2 finished', '3 finished'])).toBe('3')
})

test('what a process may have missed before it died is read back by another one that has heard more', async () => {
  const opened = await open()
  const [one, two] = [await opened.start('one'), await opened.start('two')]
  for (const { cursor } of [one, two]) await cursor.begin(1_000)
  await hears(one, 2_000)
  one.cursor.hold()
  one.cursor.heard(9_000)
  await hears(two, 5_000)
  expect(await two.cursor.inherit()).toBe(false)
  await dies(opened, one, two.lock.holder)
  await one.cursor.flush()
  expect(await two.cursor.inherit()).toBe(true)
  expect(two.cursor.isHeld).toBe(true)
  expect(await two.cursor.read()).toBe(2_000)
  // It dies before it has read that back.
  const three = await opened.start('three')
  await dies(opened, two, three.lock.holder)
  expect(await three.cursor.read()).toBe(2_000)
})

test('what a process may have missed before it died is read back by another one that has heard less', async () => {
  const opened = await open()
  const [one, two] = [await opened.start('one'), await opened.start('two')]
  for (const { cursor } of [one, two]) await cursor.begin(1_000)
  await hears(one, 5_000)
  await hears(two, 2_000)
  await dies(opened, one, two.lock.holder)
  expect(await two.cursor.inherit()).toBe(true)
  two.cursor.heard(9_000)
  await two.cursor.flush()
  expect(two.cursor.isHeld).toBe(true)
  expect(await two.cursor.read()).toBe(2_000)
  expect(await two.cursor.inherit()).toBe(false)
})

test('one that is slower doesn’t set another one back, and one that has finished leaves nothing to read', async () => {
  const opened = await open()
  const [one, two] = [await opened.start('one'), await opened.start('two')]
  for (const { cursor } of [one, two]) await cursor.begin(1_000)
  await hears(two, 5_000)
  await hears(one, 2_000)
  await one.cursor.end()
  await one.lock.release()
  expect(await two.cursor.inherit()).toBe(false)
  await two.cursor.end()
  await two.lock.release()
  const three = await opened.start('three')
  expect(await three.cursor.read()).toBe(5_000)
})

test('a process that comes later doesn’t change since when the bot answers', async () => {
  const { start } = await open()
  const one = await start('one')
  await one.cursor.begin(1_000)
  const two = await start('two')
  await two.cursor.begin(8_000)
  expect(await two.cursor.beginning()).toBe(1_000)
  expect(await two.cursor.read()).toBe(8_000)
})

test('a bot that was alone before, or is alone again, goes on where it was', async () => {
  const { start } = await open()
  const alone = await start(undefined)
  await alone.cursor.begin(1_000)
  await hears(alone, 3_000)
  await alone.lock.release()
  const one = await start('one')
  expect(await one.cursor.read()).toBe(3_000)
  await hears(one, 4_000)
  await one.cursor.end()
  await one.lock.release()
  expect(await (await start(undefined)).cursor.read()).toBe(4_000)
})
