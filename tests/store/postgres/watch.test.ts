import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clientOf } from '../../../src/store/postgres/client.ts'
import { postgresDatabase } from '../../support/database.ts'
import { throughPooler } from '../../support/pooler.ts'
import { until } from '../../support/until.ts'

async function connected(answerMs: number, asked = '', url?: string) {
  const connectionString = url ?? (await postgresDatabase())
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

test('behind PgBouncer, whose numbers are not the server’s, a statement may take longer than a look', async () => {
  const direct = await postgresDatabase()
  const { url } = await throughPooler(direct, 4)
  const holder = new pg.Client(direct)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('select pg_advisory_lock(1)')

  const client = await connected(60_000, '', url)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const looks = vi.spyOn(pg.Client.prototype, 'end')
  onTestFinished(() => looks.mockRestore())
  const answer = client.query('select pg_advisory_xact_lock(1), 1 as done')
  let isOver = false
  const over = () => {
    isOver = true
  }
  answer.then(over, over)
  for (let look = 1; look < 10 && !isOver; look++) {
    vi.advanceTimersByTime(60_000)
    await until('the look', () => isOver || looks.mock.calls.length >= look)
  }
  await holder.query('select pg_advisory_unlock(1)')
  expect((await answer).rows).toMatchObject([{ done: 1 }])
})
