import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Jobs } from '../../src/jobs/jobs.ts'
import type { Job, JobKind } from '../../src/jobs/kind.ts'
import {
  abandonedJobs,
  claimJob,
  countJobs,
  endJobs,
  type JobOwner,
  type NewJob,
  startJob,
} from '../../src/store/jobs.ts'
import { takeLock } from '../../src/store/lock.ts'
import { readNote, writeNote } from '../../src/store/notes.ts'
import { Store } from '../../src/store/store.ts'
import { newSession, scratch } from '../support/store.ts'
import { until } from '../support/until.ts'

/** A process that runs jobs; several may share a file. Its clock stands still until it is moved. */
async function process(
  file: string,
  holder: string,
  kinds: JobKind[],
  clock = { at: Date.now(), now: () => clock.at },
) {
  const store = await Store.open(file, clock)
  const reports: string[] = []
  const report = (what: string) => (thrown: unknown) => void reports.push(`${what}: ${thrown}`)
  const jobs = new Jobs({ store, clock, holder, report })
  const looking = setInterval(() => void jobs.look(), 5)
  onTestFinished(async () => {
    clearInterval(looking)
    await jobs.stop()
    await store.close()
  })
  return {
    ...{ store, jobs, clock, reports },
    run: () => jobs.run(kinds),
    start: (job: Partial<NewJob>) =>
      store.transaction((tx) => startJob(tx, { kind: 'work', key: 'one', owner: 'bot', input: null, ...job })),
    end: (owner: JobOwner) => store.transaction((tx) => endJobs(tx, owner)),
    rows: () => store.db.selectFrom('jobs').selectAll().execute(),
  }
}

const newFile = async () => join(await scratch(), 'test.db')

/** Work that goes on until it is told otherwise, and says what becomes of it. */
function held(name = 'work') {
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const kind: JobKind<{ name: string } | null> = {
    name,
    atOnce: 10,
    async run({ input, signal }) {
      const who = input?.name ?? name
      log.push(`${who} begins`)
      const ended = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => ended.resolve(), { once: true })
      await Promise.race([gate.promise, ended.promise])
      // An owner is told after this, however long it takes.
      for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
      log.push(`${who} ends`)
      signal.throwIfAborted()
    },
  }
  return { kind, log, open: () => gate.resolve() }
}

test('started twice, it runs once, and can then be started again', async () => {
  const { kind, log, open } = held()
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  const first = await bot.start({})
  await until('the job', () => log.length === 1)
  expect(await bot.start({})).toBe(first)
  open()
  await until('its end', async () => (await bot.rows()).length === 0)
  expect(log).toEqual(['work begins', 'work ends'])
  await bot.start({})
  await until('the next', () => log.length === 4)
})

test('one that is started in a failed transaction does not run', async () => {
  const { kind, log } = held()
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  const failing = bot.store.transaction(async (tx) => {
    await startJob(tx, { kind: 'work', key: 'one', owner: 'bot', input: null })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await bot.rows()).toEqual([])
  expect(log).toEqual([])
})

test('it begins when it is due, and the earlier time counts', async () => {
  const { kind, log } = held()
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  const now = bot.clock.at
  await bot.start({ dueAt: now + 2_000 })
  await bot.start({ dueAt: now + 1_000 })
  await bot.start({ dueAt: now + 3_000 })
  expect(await bot.rows()).toMatchObject([{ due_at: now + 1_000, holder: null }])
  bot.clock.at += 1_000
  await until('the job', () => log.length === 1)
})

test('a limited number of one kind run at once, without holding up other kinds', async () => {
  const { kind, log, open } = held()
  const other = held('other')
  const bot = await process(await newFile(), 'node_a', [{ ...kind, atOnce: 2 }, other.kind])
  for (const key of ['1', '2', '3', '4']) await bot.start({ key, input: { name: key } })
  await bot.start({ kind: 'other', key: '1' })
  await bot.run()
  await until('the other kind', () => other.log.length === 1 && log.length === 2)
  open()
  await until('all', () => log.length === 8)
})

/** Counts to five, and remembers where it is. */
const counting = (log: number[], at: (step: number) => Promise<void> | void): JobKind => ({
  name: 'work',
  async run({ checkpoint, save }: Job) {
    for (let step = Number(checkpoint ?? 0); step < 5; step++) {
      await at(step)
      await save(step + 1, (tx) => writeNote(tx, `step ${step}`, 'done'))
      log.push(step)
    }
  },
})

test('it continues from its checkpoint in the process that takes over; the old one writes nothing', async () => {
  const file = await newFile()
  const log: number[] = []
  const frozen = Promise.withResolvers<void>()
  const old = await process(file, 'node_a', [counting(log, (step) => (step === 2 ? frozen.promise : undefined))])
  await takeLock(old.store, { holder: 'node_a', host: 'here', pid: 1 }, () => undefined)
  await old.run()
  await old.start({})
  await until('the middle', () => log.length === 2)

  const thawed = Promise.withResolvers<void>()
  const next = await process(file, 'node_b', [counting(log, (step) => (step === 3 ? thawed.promise : undefined))])
  await takeLock(next.store, { holder: 'node_b', host: 'here', pid: 2 }, () => 'silent')
  await next.run()
  expect(await next.rows()).toMatchObject([{ reason: 'The process ended while it was running.', attempts: 1 }])
  next.clock.at += 2_000
  await until('the third step', () => log.length === 3)
  frozen.resolve()
  await old.jobs.stop()
  expect(log).toEqual([0, 1, 2])
  thawed.resolve()
  await until('its end', async () => (await next.rows()).length === 0)
  expect(log).toEqual([0, 1, 2, 3, 4])
  expect(old.reports).toEqual([])
})

test('a stop is not a failure: the next process continues at once', async () => {
  const file = await newFile()
  const log: number[] = []
  const first = await process(file, 'node_a', [
    {
      name: 'work',
      run: async ({ save, signal }) => {
        await save(3)
        log.push(3)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        return undefined
      },
    },
  ])
  await first.run()
  await first.start({})
  await until('the middle', () => log.length === 1)
  await first.jobs.stop()
  expect(await first.rows()).toMatchObject([{ attempts: 0, holder: null, checkpoint: '3', reason: null }])
  const next = await process(file, 'node_b', [counting(log, () => {})])
  await next.run()
  await until('its end', async () => (await next.rows()).length === 0)
  expect(log).toEqual([3, 3, 4])
})

test('two processes claim a job only once, and a replaced one claims none', async () => {
  const file = await newFile()
  const [one, other] = [await process(file, 'node_a', []), await process(file, 'node_b', [])]
  const id = await one.start({})
  const claim = ({ store }: typeof one, holder: string) => store.transaction((tx) => claimJob(tx, id, holder))
  const claims = await Promise.all([claim(one, 'node_a'), claim(other, 'node_b')])
  expect(claims.filter((job) => job !== undefined)).toHaveLength(1)
  const second = await one.start({ key: 'two' })
  await takeLock(other.store, { holder: 'node_b', host: 'here', pid: 2 }, () => 'silent')
  expect(await one.store.transaction((tx) => claimJob(tx, second, 'node_a'))).toBeUndefined()
})

test('it ends with its owner, and what it owns ends first', async () => {
  const { kind, log } = held()
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  const session = await newSession(bot.store)
  const parent = await bot.start({ owner: session.id, key: 'parent', input: { name: 'parent' } })
  // Not due yet, and still between the two.
  const between = await bot.start({ owner: parent, key: 'between', dueAt: bot.clock.at + 1e9 })
  await bot.start({ owner: between, key: 'leaf', input: { name: 'leaf' } })
  await bot.start({ owner: 'bot', key: 'other', input: { name: 'other' } })
  await until('all three', () => log.length === 3)
  await bot.end(session.id)
  expect(await bot.rows()).toMatchObject([{ key: 'other' }])
  await until('the parent', () => log.includes('parent ends'))
  expect(log.slice(3)).toEqual(['leaf ends', 'parent ends'])
  expect(bot.reports).toEqual([])
})

test('what a job owns ends when it is done', async () => {
  const { kind, log, open } = held('parent')
  const child = held('child')
  const bot = await process(await newFile(), 'node_a', [kind, child.kind])
  await bot.run()
  const parent = await bot.start({ kind: 'parent' })
  await bot.start({ kind: 'child', owner: parent })
  await until('both', () => log.length + child.log.length === 2)
  open()
  await until('the child', () => child.log.length === 2)
  expect(await bot.rows()).toEqual([])
})

test('one that fails is retried with growing pauses, then given up with its reason, and can be started again', async () => {
  let tries = 0
  const kind: JobKind = { name: 'work', attempts: 3, run: () => Promise.reject(new Error(`no ${++tries}`)) }
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  await bot.start({})
  const pauses: number[] = []
  for (const attempt of [1, 2]) {
    const [row] = await until('the attempt', async () => {
      const rows = await bot.rows()
      return rows[0]?.attempts === attempt && rows
    })
    pauses.push((row?.due_at ?? 0) - bot.clock.at)
    bot.clock.at = row?.due_at ?? 0
  }
  expect(pauses).toEqual([1_000, 4_000])
  await until('the end', async () => (await countJobs(bot.store.db)).failed === 1)
  expect(await bot.rows()).toMatchObject([{ state: 'failed', reason: 'no 3', attempts: 3, holder: null }])
  bot.clock.at += 1e9
  await bot.start({ key: 'another' })
  await until('another', () => tries === 4)
  await bot.start({})
  await until('the same again', () => tries === 5)
  expect(await bot.rows()).toMatchObject([{ state: 'open' }, { state: 'open' }])
  expect(bot.reports).toContain('a job failed for good: Error: no 3')
})

test('a full disk is no failure of the job, but a file that can’t be read is', async () => {
  const codes = ['ENOSPC', 'EIO']
  const kind: JobKind = {
    name: 'work',
    attempts: 1,
    run: () => Promise.reject(Object.assign(new Error('no'), { code: codes.shift() })),
  }
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  await bot.start({})
  const [row] = await until('the full disk', async () => {
    const rows = await bot.rows()
    return rows[0]?.holder === null && rows[0].due_at > bot.clock.at && rows
  })
  expect(row).toMatchObject({ state: 'open', attempts: 0 })
  bot.clock.at = row?.due_at ?? 0
  await until('the file', async () => (await countJobs(bot.store.db)).failed === 1)
  expect(await bot.rows()).toMatchObject([{ state: 'failed', attempts: 1 }])
})

test('progress clears earlier failures; saving the same checkpoint again does not', async () => {
  let further = true
  let tries = 0
  const kind: JobKind = {
    name: 'work',
    attempts: 2,
    async run({ checkpoint, save }: Job) {
      tries++
      await save(further ? Number(checkpoint ?? 0) + 1 : (checkpoint ?? null))
      throw new Error('no')
    },
  }
  const bot = await process(await newFile(), 'node_a', [kind])
  await bot.run()
  await bot.start({})
  for (let round = 1; round <= 5; round++) {
    await until('a try', async () => tries === round && (await bot.rows())[0]?.holder === null)
    expect(await countJobs(bot.store.db)).toEqual({ open: 1, failed: 0 })
    if (round === 5) further = false
    bot.clock.at += 2_000
  }
  await until('the end', async () => (await countJobs(bot.store.db)).failed === 1)
  expect(tries).toBe(6)
})

test('one that asks to run again does, with its checkpoint', async () => {
  const seen: unknown[] = []
  const bot = await process(await newFile(), 'node_a', [
    {
      name: 'work',
      run: async ({ checkpoint, save }: Job) => {
        seen.push(checkpoint)
        await save(seen.length)
        return { again: bot.clock.at + 60_000 }
      },
    },
  ])
  await bot.run()
  await bot.start({})
  await until('the first', async () => (await bot.rows())[0]?.due_at === bot.clock.at + 60_000)
  bot.clock.at += 60_000
  await until('the second', async () => (await bot.rows())[0]?.due_at === bot.clock.at + 60_000)
  expect(seen).toEqual([undefined, 1])
})

test('what is written along with a checkpoint is written with it or not at all', async () => {
  const lost = Promise.withResolvers<unknown>()
  const bot = await process(await newFile(), 'node_a', [
    {
      name: 'work',
      run: async ({ save }) => {
        await bot.end('ses_1')
        await save(1, (tx) => writeNote(tx, 'late', 'late')).catch(lost.resolve)
        return undefined
      },
    },
  ])
  await bot.run()
  await bot.start({ owner: 'ses_1' })
  expect(String(await lost.promise)).toContain('has ended')
  expect(await readNote(bot.store.db, 'late')).toBeUndefined()
  expect(await abandonedJobs(bot.store.db, 'node_b')).toEqual([])
})

test('what was put off by a clock that ran ahead begins when a process starts with the right time', async () => {
  const log: string[] = []
  const bot = await process(await newFile(), 'node_a', [{ name: 'ahead', run: async () => void log.push('begins') }])
  const right = bot.clock.at
  bot.clock.at += 1e9
  await bot.start({ kind: 'ahead', dueAt: bot.clock.at + 60_000 })
  bot.clock.at = right
  await bot.start({ kind: 'later', dueAt: right + 60_000 })
  await bot.run()
  expect((await bot.rows()).filter(({ due_at }) => due_at > right + 60_000)).toEqual([])
  await until('its end', async () => log.length === 1 && (await bot.rows()).length === 1)
  expect(await bot.rows()).toMatchObject([{ kind: 'later', due_at: right + 60_000 }])
})

test('one that is held here and does not run here is run again', async () => {
  let ran = 0
  let failing = 0
  const kind: JobKind = {
    name: 'work',
    async run() {
      // Neither its end nor its failure can be stored.
      failing = ++ran === 1 ? 2 : 0
      return undefined
    },
  }
  const bot = await process(await newFile(), 'node_a', [kind])
  const transaction = bot.store.transaction.bind(bot.store)
  let isCut = false
  bot.store.transaction = async (work) => {
    if (failing-- > 0) throw new Error('the transaction was undone')
    const result = await transaction(work)
    const isClaim = typeof result === 'object' && result !== null && 'epoch' in result
    if (isCut || !isClaim) return result
    isCut = true
    throw new Error('the answer was lost')
  }
  await bot.run()
  await bot.start({})
  await until('it to be done', async () => {
    bot.clock.at += 10_000
    return (await bot.rows()).length === 0
  })
  expect([isCut, ran]).toEqual([true, 2])
})

test('what is taken over before it is known what runs it is not given up', async () => {
  const file = await newFile()
  const kind: JobKind = { name: 'work', attempts: Number.POSITIVE_INFINITY, run: async () => undefined }
  const old = await process(file, 'node_a', [])
  await takeLock(old.store, { holder: 'node_a', host: 'here', pid: 1 }, () => undefined)
  const id = await old.start({})
  await old.store.transaction((tx) => claimJob(tx, id, 'node_a'))
  await old.store.db.updateTable('jobs').set({ attempts: 20 }).execute()

  const next = await process(file, 'node_b', [kind])
  await takeLock(next.store, { holder: 'node_b', host: 'here', pid: 2 }, () => 'silent')
  await next.jobs.takeOver()
  expect(await next.rows()).toMatchObject([{ state: 'open', attempts: 20 }])
  await next.run()
  expect(await next.rows()).toMatchObject([{ state: 'open', attempts: 21, holder: null }])
})
