import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { dataFindings } from '../../src/doctor/data.ts'
import type { SessionId } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { claimJob, failJob, startJob } from '../../src/store/jobs.ts'
import { dropLock, takeLock } from '../../src/store/lock.ts'
import { Store } from '../../src/store/store.ts'
import { startTestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { cleaned } from '../support/cleaned.ts'
import { says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

/** What a query of a file of the data directory returns; nothing while the file is not there. */
function rows<Row>(dataDir: string, file: string, query: string): Row[] {
  try {
    const database = new Database(join(dataDir, file), { readonly: true })
    try {
      return database.prepare<[], Row>(query).all()
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}

const indexed = (dataDir: string) => rows(dataDir, 'index.db', `select 1 from documents where state <> 'making'`).length
const jobsIn = (dataDir: string, kind: string) =>
  rows<{ holder: string | null; attempts: number; reason: string; due_at: number }>(
    dataDir,
    'bobbin.db',
    `select * from jobs where kind = '${kind}'`,
  )

/** With so many lines, it takes a reader several seconds. */
const large = (lines = 100_000) => `name,amount\n${'Meyer and sons of the harbour,12\n'.repeat(lines)}`

/**
 * Kills it while it indexes an upload. On a busy machine, whoever waits for that may notice it only when it is over: then
 * the next upload is larger.
 */
async function killedWhileIndexing() {
  for (let lines = 100_000; ; lines *= 2) {
    const place = await openPlace({ script: () => says('Thanks.') })
    const life = await place.start()
    void life.chat.send('keep this', { files: { 'large.csv': large(lines) } }).then(
      (response) => response.body?.cancel(),
      () => {},
    )
    await until('its indexing', () => jobsIn(place.dataDir, 'index')[0]?.holder ?? indexed(place.dataDir) > 0)
    life.signal('SIGKILL')
    await life.ended
    if (indexed(place.dataDir) === 0) return place
  }
}

test('an upload whose indexing was cut short by a crash is indexed afterwards, even if nobody asks for it', async () => {
  const place = await killedWhileIndexing()
  expect(jobsIn(place.dataDir, 'index')).toHaveLength(1)

  const second = await place.start()
  await until('its end', () => jobsIn(place.dataDir, 'index').length === 0)
  expect(indexed(place.dataDir)).toBe(1)
  expect(second.said()).not.toContain('failed for good')
})

test('deleting a thread ends its jobs, and a job that survives a stop erases it', async () => {
  // It erases a second after the deletion, to post its last messages first.
  let now = Date.now()
  const bot = await startTestBot({ script: () => says('Thanks.'), clock: { now: () => now } })
  const { conversation } = await bot.chat.say('keep this', { files: { 'large.csv': large() } })
  await until('its indexing', () => jobsIn(bot.dataDir, 'index')[0]?.holder ?? indexed(bot.dataDir) > 0)
  await bot.chat.say('/delete yes', { conversation })
  expect(jobsIn(bot.dataDir, 'index')).toEqual([])
  expect(jobsIn(bot.dataDir, 'erase')).toHaveLength(1)
  await bot.restart()
  now += 60_000
  await until('the end of erasing', () => jobsIn(bot.dataDir, 'erase').length === 0)
  expect(rows(bot.dataDir, 'bobbin.db', 'select * from messages')).toEqual([])
  expect(indexed(bot.dataDir)).toBe(0)
})

test('what is due for removal is removed within the hour, without a restart', async () => {
  let passed = 0
  const bot = await startTestBot({ script: () => says('Thanks.'), clock: { now: () => Date.now() + passed } })
  const { conversation } = await bot.chat.say('keep this', { files: { 'a.txt': 'hello' } })
  const cleaning = () => jobsIn(bot.dataDir, 'clean')[0]
  await cleaned(bot)
  passed = 8 * 86_100_000
  await until('the next cleaning', () => cleaning()?.holder === null && (cleaning()?.due_at ?? 0) > Date.now() + passed)
  expect(await bot.chat.get(`/agent/conversations/${conversation}/files`)).toMatchObject({ files: [] })
})

test('a job that was given up is reported by health, doctor and the list of sessions', async () => {
  const bot = await startTestBot({ script: () => says('Thanks.') })
  const { conversation } = await bot.chat.say('hello')
  const health = async () => ((await (await fetch(`${bot.chat.url}/health`)).json()) as { jobs: object }).jobs
  expect(await health()).toEqual({ open: 1, failed: 0 })
  await bot.stop()
  const store = await Store.open(bot.database, systemClock)
  const owner = conversation as SessionId
  await takeLock(store, { holder: 'node_a', host: 'here', pid: 1 }, () => undefined)
  await store.transaction(async (tx) => {
    const job = await claimJob(tx, await startJob(tx, { kind: 'index', key: 'a', owner, input: null }), 'node_a')
    if (job !== undefined) await failJob(tx, job, 'The disk is gone.', undefined)
  })
  await dropLock(store, 'node_a')
  await store.close()
  const findings = await Array.fromAsync(dataFindings({ ...bot, database: bot.database, silentMs: 1 }))
  expect(findings.at(-1)).toEqual({
    mark: 'mind',
    fact: 'A background job failed (index): The disk is gone.',
    remedy: [],
  })
  const { stdout } = await promisify(execFile)(process.execPath, ['src/bin.js', 'sessions'], {
    env: { PATH: process.env.PATH, BOBBIN_HOME: bot.dataDir, BOBBIN_DATA_DIR: bot.dataDir },
  })
  expect(stdout).toContain('1 turn, jobs: 1 failed  console/')
  await bot.restart()
  expect(await health()).toEqual({ open: 1, failed: 1 })
})
