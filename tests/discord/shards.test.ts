import { expect, test } from 'vitest'
import { Cursor } from '../../src/platforms/discord/gaps/cursor.ts'
import { ReadBack } from '../../src/platforms/discord/gaps/read-back.ts'
import { quick } from './room.ts'
import { stubDeps } from './stub.ts'

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
