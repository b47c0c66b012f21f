import { existsSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { locked } from '../../src/capabilities/mcp/login/locked.ts'
import { scratch } from '../support/store.ts'

const newLock = async (): Promise<string> => join(await scratch(), 'x.json.lock')

test('a lock is kept however far apart the clocks of this machine and of the disk are', async () => {
  const path = await newLock()
  const order: string[] = []
  let second: Promise<unknown> | undefined
  await locked(path, async () => {
    const longAgo = new Date(Date.now() - 600_000)
    await utimes(path, longAgo, longAgo)
    second = locked(path, async () => order.push('second'))
    // The other looks several times meanwhile.
    await sleep(500)
    order.push('first')
  })
  await second
  expect(order).toEqual(['first', 'second'])
  expect(existsSync(path)).toBe(false)
})

test('the lock of somebody who was killed doesn’t hold others up for ever, whatever the time on it', async () => {
  const path = await newLock()
  await writeFile(path, 'somebody')
  const ahead = new Date(Date.now() + 600_000)
  await utimes(path, ahead, ahead)
  expect(await locked(path, async () => 'done', 300)).toBe('done')
})

test('whoever was taken for killed leaves the lock to the next one', async () => {
  const path = await newLock()
  const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let next: Promise<void> | undefined
  await locked(path, async () => {
    next = locked(path, () => Promise.resolve(entered.resolve()).then(() => left.promise), 1)
    await entered.promise
  })
  expect(existsSync(path)).toBe(true)
  left.resolve()
  await next
  expect(existsSync(path)).toBe(false)
})
