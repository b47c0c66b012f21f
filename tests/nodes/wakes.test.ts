import { expect, onTestFinished, test } from 'vitest'
import type { SessionId } from '../../src/domain/ids.ts'
import { BossEngine, type BossOptions } from '../../src/engine/boss.ts'
import { openBoss, queue } from '../../src/engine/open-boss.ts'
import { systemClock } from '../../src/kit/clock.ts'
import type { DatabaseServer } from '../../src/store/database.ts'
import { dropLock, takeLock } from '../../src/store/lock.ts'
import { Store } from '../../src/store/store.ts'
import { lostWakes, wakesTakenBy } from '../../src/store/wakes.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const never = 2 ** 31 - 1
const session = 'ses_woken' as SessionId

interface Own extends Partial<BossOptions> {
  run?(signal: AbortSignal): Promise<void>
  /** Stands between the engine and the server. */
  through?(server: DatabaseServer): DatabaseServer
}

/** An engine that finds no work by itself, and notes what it runs. */
async function startEngine(url: string, own: Own = {}) {
  const { run = async () => {}, through = (server) => server, ...options } = own
  const ran: SessionId[] = []
  const faults: unknown[] = []
  const nothing = async () => []
  const store = await Store.open(url, systemClock)
  if (store.server === undefined) throw new Error('there is no server')
  const engine = new BossEngine({
    ...{
      server: through(store.server),
      holder: 'node_a',
      turnsAtOnce: 4,
      sweepMs: never,
      runnable: nothing,
      lostWakes: nothing,
      lost: nothing,
      ownWakes: nothing,
    },
    ...{ interruptElsewhere: () => {}, wakeElsewhere: () => {} },
    report: (_, thrown) => void faults.push(thrown),
    ...options,
  })
  await engine.start(async (id, signal) => {
    ran.push(id)
    await run(signal)
  })
  onTestFinished(async () => {
    await engine.stop(0)
    await engine.close()
    await store.close()
  })
  return { engine, ran, faults }
}

test('what a process hears while it leaves, another one runs', async () => {
  const url = await postgresDatabase()
  let told = 0
  const leaving = await startEngine(url, { wakeElsewhere: () => void told++ })
  const staying = await startEngine(url)
  await leaving.engine.stop(0)
  leaving.engine.wake(session)
  await until('the session to run', async () => staying.ran.length > 0)
  expect([leaving.ran, leaving.faults, told]).toEqual([[], [], 1])
})

test('a wake that could not be sent is sent once the server is back', async () => {
  const url = await postgresDatabase()
  const server = new URL(url)
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  const { engine, ran, faults } = await startEngine(url)
  const allow = (yes: boolean) => atServer(server.href, `alter database ${name} allow_connections ${yes}`)
  await allow(false)
  await atServer(server.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  engine.wake(session)
  await until('the wake to fail', async () => faults.length > 0)
  await allow(true)
  await until('the session to run', async () => ran.includes(session))
})

test('a run whose claim was taken does not end that of its successor', async () => {
  const url = await postgresDatabase()
  const mayEnd = Promise.withResolvers<void>()
  const forgotten = Promise.withResolvers<void>()
  onTestFinished(() => forgotten.resolve())
  const slow = await startEngine(url, { turnsAtOnce: 1, run: () => mayEnd.promise })
  slow.engine.wake(session)
  await until('the wake to be fetched', async () => slow.ran.length > 0)
  const next = await startEngine(url, { holder: 'node_next', run: () => forgotten.promise })
  // As a process of an older version does after its heartbeat.
  await atServer(url, `update bobbin_engine.job set state = 'retry'`)
  await until('the wake to be fetched again', async () => next.ran.length > 0)
  mayEnd.resolve()
  await slow.engine.letGo()
  const active = await atServer(url, `select retry_count as attempt from bobbin_engine.job where state = 'active'`)
  expect(active).toEqual([{ attempt: 1 }])
})

test('a run whose claim was taken ends before its successor in the same process, which keeps its own', async () => {
  const url = await postgresDatabase()
  const noted: string[] = []
  const untilAborted = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const run = async (signal: AbortSignal): Promise<void> => {
    noted.push('began')
    await untilAborted(signal)
    noted.push('ended')
  }
  const { engine } = await startEngine(url, { run })
  engine.wake(session)
  await until('the session to run', async () => noted.length === 1)
  // As a process of an older version does after its heartbeat.
  await atServer(url, `update bobbin_engine.job set state = 'retry'`)
  await until('the session to run again', async () => noted.filter((one) => one === 'began').length === 2)
  expect(noted).toEqual(['began', 'ended', 'began'])

  const beats = () =>
    atServer(
      url,
      `select 1 from bobbin_engine.job where retry_count = 1 and heartbeat_on > now() - interval '1 minute'`,
    )
  await atServer(url, `update bobbin_engine.job set heartbeat_on = now() - interval '1 hour'`)
  await until('a beat', async () => (await beats()).length === 1)
  expect(engine.interruptHere(session)).toBe(true)
  await engine.letGo()
  expect(noted).toEqual(['began', 'ended', 'began', 'ended'])
})

test('what a process had fetched and not begun when it was killed is free when another one looks', async () => {
  const url = await postgresDatabase()
  const store = await Store.open(url, systemClock)
  onTestFinished(() => store.close())
  const lock = (node: string) => takeLock(store, { holder: node, host: 'far', pid: 1 }, () => 'dead', `node ${node}`)
  const forgotten = Promise.withResolvers<void>()
  onTestFinished(() => forgotten.resolve())
  const killed = await startEngine(url, { holder: 'node_killed', run: () => forgotten.promise })
  await Promise.all(['node_killed', 'node_next'].map(lock))
  killed.engine.wake(session)
  await until('the wake to be fetched', async () => killed.ran.length > 0)
  const fetched = () => atServer<{ holder: string }>(url, 'select holder from wakes')
  const active = () => atServer(url, `select 1 from bobbin_engine.job where state = 'active'`)

  const next = { holder: 'node_next', lostWakes: () => lostWakes(store.db) }
  const { engine } = await startEngine(url, next)
  expect([await fetched(), await active()]).toEqual([[{ holder: 'node_killed' }], [expect.anything()]])
  await dropLock(store, 'node_killed')
  await engine.sweep()
  expect([await fetched(), await active()]).toEqual([[], []])
})

test('what was fetched by a statement whose answer was lost is fetched again', async () => {
  const url = await postgresDatabase()
  const store = await Store.open(url, systemClock)
  onTestFinished(() => store.close())
  let isLost = false
  const through = (server: DatabaseServer): DatabaseServer => ({
    ...server,
    async run(text, values) {
      const answer = await server.run(text, values)
      if (isLost || answer.rows.length === 0 || !text.startsWith('with fetched')) return answer
      isLost = true
      throw new Error('the connection was cut')
    },
  })
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => mayEnd.resolve())
  const { engine, ran } = await startEngine(url, {
    through,
    run: () => mayEnd.promise,
    runnable: async () => [session],
    ownWakes: () => wakesTakenBy(store.db, 'node_a'),
  })
  engine.wake(session)
  await until('the session to run', async () => ran.length > 0)
  const [job] = await atServer<{ attempt: number }>(
    url,
    `select retry_count as attempt from bobbin_engine.job where state = 'active'`,
  )
  expect([isLost, job?.attempt]).toEqual([true, 0])
})

test('what the server fetched after the connection was cut is given back by its holder, which nobody else takes it from', async () => {
  const url = await postgresDatabase()
  const store = await Store.open(url, systemClock)
  onTestFinished(() => store.close())
  await takeLock(store, { holder: 'node_a', host: 'far', pid: 1 }, () => undefined, 'node node_a')
  const late: (() => Promise<unknown>)[] = []
  let isCut = false
  const through = (server: DatabaseServer): DatabaseServer => ({
    ...server,
    async run(text, values) {
      if (isCut || !text.startsWith('with fetched')) return server.run(text, values)
      isCut = true
      late.push(() => server.run(text, values))
      throw new Error('the connection was cut')
    },
  })
  let finished = false
  const ownWakes = async () => {
    const own = await wakesTakenBy(store.db, 'node_a')
    for (const fetch of late.splice(0)) finished = (await fetch().then(() => true)) || finished
    return own
  }
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => mayEnd.resolve())
  const run = () => mayEnd.promise
  const { engine, ran } = await startEngine(url, { through, run, ownWakes, runnable: async () => [session] })
  await until('the fetch to be finished', () => finished)
  await engine.sweep()
  await until('the session to run', () => ran.length > 0)
  const active = await atServer(url, `select retry_count as attempt from bobbin_engine.job where state = 'active'`)
  expect(active).toEqual([{ attempt: 0 }])
})

test('a turn that has simply ended costs no sweep after a fetch failed', async () => {
  const url = await postgresDatabase()
  const store = await Store.open(url, systemClock)
  onTestFinished(() => store.close())
  let mustFail = false
  let looks = 0
  const through = (server: DatabaseServer): DatabaseServer => ({
    ...server,
    async run(text, values) {
      if (!text.startsWith('with fetched')) return server.run(text, values)
      if (mustFail) throw new Error('the connection was cut')
      looks++
      return server.run(text, values)
    },
  })
  const ownWakes = () => wakesTakenBy(store.db, 'node_a')
  let sweeps = 0
  const noneLost = async () => {
    sweeps++
    return []
  }
  const { engine, ran, faults } = await startEngine(url, { through, ownWakes, lostWakes: noneLost })
  engine.wake(session)
  await until('the session to run', () => ran.length > 0)
  const jobs = () => atServer(url, 'select 1 from bobbin_engine.job')
  await until('the run to end', async () => (await jobs()).length === 0)
  const noted = await ownWakes()
  mustFail = true
  await until('a fetch to fail', () => faults.length > 0)
  const before = looks
  mustFail = false
  await until('another fetch', () => looks > before)
  // One sweep is that of the start.
  expect([noted.length, sweeps]).toEqual([1, 1])
})

test('an older version’s supervisor ends no claim because the server stood still', async () => {
  const url = await postgresDatabase()
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => mayEnd.resolve())
  const { engine, ran } = await startEngine(url, { run: () => mayEnd.promise })
  engine.wake(session)
  await until('the session to run', () => ran.length > 0)
  const store = await Store.open(url, systemClock)
  onTestFinished(() => store.close())
  if (store.server === undefined) throw new Error('there is no server')
  const older = await openBoss(store.server, () => {})
  onTestFinished(() => older.stop({ graceful: false }))
  await atServer(url, `update bobbin_engine.job set heartbeat_on = now() - interval '1 hour'`)
  await older.supervise(queue)
  expect(await atServer(url, 'select state from bobbin_engine.job')).toEqual([{ state: 'active' }])
})

test('only claims that nobody holds are ended by others, however long one takes or the server stands still', async () => {
  const url = await postgresDatabase()
  const store = await Store.open(url, systemClock)
  onTestFinished(() => store.close())
  await takeLock(store, { holder: 'node_a', host: 'far', pid: 1 }, () => undefined, 'node node_a')
  const left = 'ses_left' as SessionId
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => mayEnd.resolve())
  const slow = await startEngine(url, { turnsAtOnce: 1, run: () => mayEnd.promise })
  slow.engine.wake(session)
  await until('the wake to be fetched', async () => slow.ran.length > 0)
  slow.engine.wake(left)
  const jobs = (where: string) => atServer(url, `select 1 from bobbin_engine.job where ${where}`)
  await until('the other wake to be sent', async () => (await jobs('true')).length === 2)
  await atServer(url, `update bobbin_engine.job set state = 'active'`)

  // The jobs of a queue that an older version made have heartbeats.
  const age = `update bobbin_engine.job set heartbeat_on = now() - interval '1 hour', heartbeat_seconds = 10,
    started_on = now() - interval '2 days' where state = 'active'`
  let looks = 0
  const through = (server: DatabaseServer): DatabaseServer => ({
    ...server,
    async run(text, values) {
      await server.run(age, [])
      if (text.startsWith('with fetched')) looks++
      return server.run(text, values)
    },
  })
  const next = await startEngine(url, {
    ...{ through, holder: 'node_next', run: () => mayEnd.promise },
    ...{ lostWakes: () => lostWakes(store.db), runnable: async () => [session, left] },
  })
  await until('what was left to run', async () => next.ran.length > 0)
  const before = looks
  await until('some looks', () => looks >= before + 3)
  expect([slow.ran, next.ran]).toEqual([[session], [left]])
  expect(await jobs(`state = 'active' and retry_count = 0 and data ->> 'session' = '${session}'`)).toHaveLength(1)
})
