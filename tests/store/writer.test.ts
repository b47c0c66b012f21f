import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { findSession } from '../../src/store/sessions.ts'
import { Store } from '../../src/store/store.ts'
import { newSession, scratch } from '../support/store.ts'

async function openOn(file: string): Promise<Store> {
  const store = await Store.open(file, { now: () => Date.now() })
  onTestFinished(() => store.close())
  return store
}

/** A transaction's last frame in the log tells how large the database is then; the others say 0. */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frameBytes = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) if (log.readUInt32BE(at + 4) > 0) commits++
  return commits
}

test('what is written at the same time is committed together', async () => {
  const file = join(await scratch(), 'test.db')
  const store = await openOn(file)
  const before = commitsIn(file)

  const sessions = await Promise.all(Array.from({ length: 200 }, (_, number) => newSession(store, `thread ${number}`)))

  expect(commitsIn(file) - before).toBeLessThan(10)
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(200)
  for (const { id } of sessions) expect(await findSession(store.db, id)).toBeDefined()
})

test('one that fails undoes only itself', async () => {
  const store = await openOn(join(await scratch(), 'test.db'))
  const rename = (id: string, title: string, then = () => {}) =>
    store.transaction(async (tx) => {
      await tx.db.updateTable('sessions').set({ title }).where('thread', '=', id).execute()
      then()
    })
  const [first, second, third] = await Promise.all(['a', 'b', 'c'].map((thread) => newSession(store, thread)))

  const settled = await Promise.allSettled([
    rename('a', 'renamed'),
    rename('b', 'undone', () => {
      throw new Error('no')
    }),
    store.transaction((tx) =>
      tx.db
        .insertInto('sessions')
        .values({} as never)
        .execute(),
    ),
    rename('c', 'renamed'),
  ])

  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const titles = await Promise.all([first, second, third].map((one) => findSession(store.db, one?.id ?? '')))
  expect(titles.map((one) => one?.title)).toEqual(['renamed', 'test', 'renamed'])
})

test('uncommitted rows are not read, and reading waits for no transaction', async () => {
  const store = await openOn(join(await scratch(), 'test.db'))
  const { id } = await newSession(store)
  const written = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()

  const writing = store.transaction(async (tx) => {
    await tx.db.updateTable('sessions').set({ title: 'new' }).where('id', '=', id).execute()
    written.resolve()
    await read.promise
  })
  await written.promise
  expect((await findSession(store.db, id))?.title).toBe('test')
  read.resolve()
  await writing

  expect((await findSession(store.db, id))?.title).toBe('new')
})

test('while another process holds the database, writing ends in an error, and works again afterwards', async () => {
  const file = join(await scratch(), 'test.db')
  const store = await Store.open(file, { now: () => Date.now() }, undefined, { patienceMs: 20 })
  onTestFinished(() => store.close())
  const other = new Sqlite(file)
  onTestFinished(() => void other.close())
  other.exec('begin immediate')

  const settled = await Promise.allSettled([newSession(store, 'a'), newSession(store, 'b')])
  expect(settled.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(['database_busy', 'database_busy'])

  other.exec('rollback')
  await newSession(store, 'a')
})

test('what was begun is stored before the store closes', async () => {
  const file = join(await scratch(), 'test.db')
  const store = await Store.open(file, { now: () => Date.now() })
  const writing = newSession(store)
  await store.close()

  const again = await openOn(file)
  expect(await findSession(again.db, (await writing).id)).toBeDefined()
})
