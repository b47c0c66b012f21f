import { expect, test } from 'vitest'
import { Cursor } from '../../src/platforms/discord/gaps/cursor.ts'
import { stubDeps } from './stub.ts'

test('at no moment is the position noted beyond a server that is behind and isn’t noted', async () => {
  const { notes, ...deps } = stubDeps()
  const kept: string[] = []
  let isFull = false
  const set = async (name: string, text: string) => {
    if (isFull) throw new Error('the disk is full')
    kept.push(`${name}: ${text}`)
    await notes.set(name, text)
  }
  const written = async (cursor: Cursor) => {
    await cursor.flush()
    return kept.splice(0)
  }
  // The last days, for which such a server is read back, begin with the first message.
  const clock = { now: () => Date.UTC(2015, 0, 15) }
  const open = () => new Cursor({ ...deps, clock, notes: { ...notes, set }, settled: () => {} }, 600_000)
  const cursor = open()
  await cursor.first('100')
  cursor.away('7')
  cursor.done('200')
  isFull = true
  await cursor.flush()
  isFull = false
  expect(await written(cursor)).toEqual(['discord.cursor: 100', 'discord.behind: 7=100', 'discord.cursor: 200'])

  const { caughtUp } = cursor.behind(() => true)
  cursor.away('8')
  caughtUp()
  cursor.done('300')
  cursor.away('7')
  cursor.done('400')
  expect(await written(cursor)).toEqual([
    'discord.behind: 7=100 8=200',
    'discord.cursor: 400',
    'discord.behind: 8=200 7=300',
  ])
  const next = open()
  expect(await next.load()).toBe('400')
  expect([next.since('7'), next.since('8'), next.since('9')]).toEqual(['300', '200', '400'])
  next.behind(() => true).caughtUp()
  next.done('500')
  expect(await written(next)).toEqual(['discord.cursor: 500', 'discord.behind: '])
})
