import { expect, onTestFinished, test } from 'vitest'
import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import { Cursor } from '../../src/platforms/discord/gaps/cursor.ts'
import { ReadBack } from '../../src/platforms/discord/gaps/read-back.ts'
import type { Duty } from '../../src/platforms/platform.ts'
import { openRoom, quick } from './room.ts'
import { StubSink, stubDeps } from './stub.ts'

test('a server of a shard that has no session yet is not taken for one that was left', async () => {
  const cursor = new Cursor({ ...stubDeps(), settled: () => {} }, quick.cursorMs)
  await cursor.first('1')
  cursor.away('22')
  let reads = 0
  const threads = async () => {
    reads++
    return []
  }
  const deps = { cursor, sink: { threads }, log: stubDeps().log, signal: new AbortController().signal }
  const readBack = new ReadBack(deps as unknown as ConstructorParameters<typeof ReadBack>[0])
  readBack.begin({ shard: [0, 2], guilds: [] })
  await readBack.known(0)
  expect(cursor.isOpen('22')).toBe(true)
  readBack.begin({ shard: [1, 2], guilds: [{ id: '22', unavailable: true }] })
  await readBack.known(1)
  expect(reads).toBe(1)
  expect([cursor.isOpen('11'), cursor.isOpen('22')]).toEqual([false, true])
})

test('a process without the gateway reads back only threads of servers that are behind', async () => {
  const { discord, mention } = await openRoom()
  const { thread } = await mention('ana', 'general', 'hello')
  const { notes, ...deps } = stubDeps()
  const except: string[] = []
  const heldBy = { node: 'other', isHere: false, isSettled: true, except }
  const duty: Duty = { heldBy, notes, take: async () => {}, settled: () => {}, leave: async () => {} }
  const others = { duty: () => duty, whenGone: () => {} }
  const platform = discordPlatform({ token: discord.token, apiUrl: discord.url }, { ...deps, notes, others }, quick)
  onTestFinished(() => platform.stop())
  // A turn that goes on while the bot starts waits until it is known.
  const early = platform.catchUp(thread)
  expect(early).toBeInstanceOf(Promise)
  await platform.start(new StubSink())
  await early
  except.push('22')
  expect(platform.catchUp(thread)).toBeUndefined()
  except.push(thread.tenant)
  const catching = platform.catchUp(thread)
  expect(catching).toBeInstanceOf(Promise)
  await catching?.catch(() => {})
})
