import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clientOf } from '../../../src/store/postgres/client.ts'
import { postgresDatabase } from '../../support/database.ts'

async function connected(answerMs: number, asked = '') {
  const connectionString = await postgresDatabase()
  const Client = clientOf({ connectionString: connectionString.replace('?', `${asked}?`) }, answerMs)
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('a client is watched once for all it is asked, until it has answered, and not once it has ended', async () => {
  const client = await connected(60_000)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers = Array.from({ length: 12 }, () => client.query('select 1'))
  expect(vi.getTimerCount()).toBe(1)
  await Promise.all([...answers, new Promise((resolve) => client.once('drain', resolve))])
  expect(vi.getTimerCount()).toBe(0)
  await client.query('select 1')
  await client.end()
  expect(vi.getTimerCount()).toBe(0)
  await expect(client.query('select 1')).rejects.toThrow('not queryable')
  expect(vi.getTimerCount()).toBe(0)
})

test('if a server can never say whether it works on a statement, ten looks are enough', async () => {
  const client = await connected(50, '_missing')
  const looks = vi.spyOn(pg.Client.prototype, 'connect')
  onTestFinished(() => looks.mockRestore())
  await expect(client.query('select pg_sleep(60)')).rejects.toThrow('timeout expired')
  expect(looks.mock.calls.length).toBeGreaterThanOrEqual(10)
})
