import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { appendEvents, readEvents } from '../../../src/store/events.ts'
import { Store, type StoreOptions } from '../../../src/store/store.ts'
import { atServer, postgresDatabase } from '../../support/database.ts'
import { PostgresCluster } from '../../support/postgres-cluster.ts'
import { ana, newSession, scratch } from '../../support/store.ts'
import { eventually } from '../../support/until.ts'
import { breakable } from './cut-connection.ts'

const stopped = { type: 'stopped' as const, data: { turn_id: 'turn_a' as const, person: ana } }

async function opened(options: StoreOptions = {}) {
  const direct = await postgresDatabase()
  const other = await Store.open(direct, systemClock)
  onTestFinished(() => other.close())
  const { id } = await newSession(other)
  const server = await breakable(direct)
  // On a busy machine, a server that is fine may owe an answer for longer than the test allows.
  const store = await eventually(() => Store.open(server.url, systemClock, undefined, options))
  onTestFinished(() => store.close())
  return { direct, server, store, other, id }
}

test.each(['asked', 'answered'] as const)(
  'a connection that breaks when the commit is %s: what waits for it is stored once',
  async (cut) => {
    const { server, store, id } = await opened()
    let times = 0
    server.cutNext(cut, 'loud')
    await store.patiently(id, (tx) => {
      times++
      return appendEvents(tx, id, [stopped])
    })
    expect(await readEvents(store.db, id, 1, 10)).toHaveLength(1)
    expect(times).toBe(cut === 'asked' ? 2 : 1)
  },
)

test.each(['asked', 'answered'] as const)(
  'a server that vanishes without a word when the commit is %s: what waits for it is stored once',
  async (cut) => {
    // On a busy machine, a second may pass between two statements of a transaction.
    const { server, store, id } = await opened({ answerMs: 500, patienceMs: 3_000 })
    let times = 0
    server.cutNext(cut, 'silent')
    await store.patiently(id, (tx) => {
      times++
      return appendEvents(tx, id, [stopped])
    })
    expect(await readEvents(store.db, id, 1, 10)).toHaveLength(1)
    expect(times).toBeGreaterThan(cut === 'asked' ? 1 : 0)
  },
)

test('connections to a server that has vanished are replaced, and do not keep the store from closing', async () => {
  const { server, store, other, id } = await opened({ answerMs: 500 })
  const { wire } = store
  const heard = Promise.withResolvers<void>()
  wire?.hear('node', () => heard.resolve())
  const telling = setInterval(() => other.wire?.tell('node', null), 100)
  await heard.promise
  clearInterval(telling)
  await Promise.all([1, 2, 3].map(() => store.patiently(id, (tx) => appendEvents(tx, id, [stopped]))))
  server.vanish()
  await expect(readEvents(store.db, id, 1, 10)).rejects.toMatchObject({ code: 'database_unreachable' })
  await Promise.all([1, 2, 3].map(() => store.patiently(id, (tx) => appendEvents(tx, id, [stopped]))))
  await eventually(async () => expect(await readEvents(store.db, id, 1, 10)).toHaveLength(6))
  await store.close()
})

test('a statement that takes longer than a server may owe an answer ends by itself', async () => {
  const { store } = await opened({ answerMs: 100 })
  // On a busy machine, one that the server hasn't begun may be cut.
  const { rows } = await eventually(() => sql<{ slept: string }>`select pg_sleep(1)::text as slept`.execute(store.db))
  expect(rows).toHaveLength(1)
  expect(await eventually(() => store.server?.run('select pg_sleep(1)'))).toMatchObject({ rows: [{}] })
})

test('who does not wait hears that nothing was stored, and of what was stored, that it was', async () => {
  const { server, store, id } = await opened()
  server.cutNext('asked', 'loud')
  const lost = store.transaction((tx) => appendEvents(tx, id, [stopped]))
  await expect(lost).rejects.toMatchObject({ code: 'database_unreachable', passes: true })
  expect(store.availability.fault?.code).toBe('database_unreachable')
  server.cutNext('answered', 'loud')
  await store.transaction((tx) => appendEvents(tx, id, [stopped]))
  expect(store.availability.fault).toBeUndefined()
  expect(await readEvents(store.db, id, 1, 10)).toHaveLength(1)
})

test('connections that the server ends are replaced', async () => {
  const { direct, store, id } = await opened()
  await Promise.all([1, 2, 3].map(() => store.patiently(id, (tx) => appendEvents(tx, id, [stopped]))))
  await atServer(
    direct,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await store.patiently(id, (tx) => appendEvents(tx, id, [stopped]))
  expect(await readEvents(store.db, id, 1, 10)).toHaveLength(4)
})

test('once a standby is promoted, a store that was refused there stores again', async () => {
  const cluster = new PostgresCluster(await scratch())
  onTestFinished(() => cluster.end('SIGQUIT'))
  await cluster.make()
  await cluster.start()
  await cluster.run('postgres', 'create database bobbin')
  const store = await Store.open(cluster.url('bobbin'), systemClock)
  onTestFinished(() => store.close())
  const { id } = await newSession(store)
  await cluster.end()
  cluster.makeStandby()
  await cluster.start()
  const write = () => store.transaction((tx) => appendEvents(tx, id, [stopped]))
  const refused = () => expect(write()).rejects.toMatchObject({ code: 'read_only' })
  await eventually(refused)
  await refused()
  await cluster.run('postgres', 'select pg_promote()')
  await write()
  expect(await readEvents(store.db, id, 1, 10)).toHaveLength(1)
})

test('a process that freezes in the middle of a transaction does not keep the others waiting for ever', async () => {
  const direct = await postgresDatabase()
  const frozen = await Store.open(direct, systemClock, undefined, { patienceMs: 3_000 })
  const other = await Store.open(direct, systemClock)
  onTestFinished(async () => {
    await frozen.close()
    await other.close()
  })
  const { id } = await newSession(other)
  const { promise: thaws, resolve: thaw } = Promise.withResolvers<void>()
  const { promise: isFrozen, resolve: freezes } = Promise.withResolvers<void>()
  const freezing = () =>
    frozen.transaction(async (tx) => {
      await appendEvents(tx, id, [stopped])
      freezes()
      await thaws
    })
  const ending = () => expect(freezing()).rejects.toMatchObject({ code: 'database_unreachable' })
  let ended = ending()
  // On a busy machine, so much time may pass between two of its statements that it ends before it freezes.
  while (await Promise.race([isFrozen.then(() => false), ended.then(() => true)])) ended = ending()
  await other.transaction((tx) => appendEvents(tx, id, [stopped]))
  thaw()
  await ended
  expect(await readEvents(other.db, id, 1, 10)).toHaveLength(1)
})
