import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, type Transaction } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { dropUnposted } from '../../../src/store/retention.ts'
import type { Tables } from '../../../src/store/schema.ts'
import { findSession } from '../../../src/store/sessions.ts'
import { sqliteDialect } from '../../../src/store/sqlite/dialect.ts'
import { Writer } from '../../../src/store/sqlite/writer.ts'
import { Store } from '../../../src/store/store.ts'
import { newSession, scratch } from '../../support/store.ts'

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

test('work that nobody waits for is committed with other work, or when there is enough of it', async () => {
  const file = join(await scratch(), 'test.db')
  const store = await openOn(file)
  const session = await newSession(store)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  onTestFinished(() => db.destroy())
  const writer = new Writer(db, 3_600_000)
  let stored = 0
  const titled = async (title: string, isUrgent: boolean) => {
    const work = (tx: Transaction<Tables>) => tx.updateTable('sessions').set({ title }).execute()
    await writer.run(work, isUrgent)
    stored++
  }
  const title = async () => (await findSession(store.db, session.id))?.title
  const before = commitsIn(file)

  const first = titled('first', false)
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve))
  expect([stored, await title()]).toEqual([0, 'test'])
  await Promise.all([titled('urgent', true), first])
  expect([stored, commitsIn(file) - before]).toEqual([2, 1])

  await Promise.all(Array.from({ length: 8 }, () => titled('enough', false)))
  expect(await title()).toBe('enough')

  const last = titled('last', false)
  await writer.idle()
  await last
  expect(await title()).toBe('last')
  await new Writer(db).run((tx) => tx.updateTable('sessions').set({ title: 'alone' }).execute(), false)
  expect(await title()).toBe('alone')
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

test('deleting what couldn’t be posted waits for the transaction that is open', async () => {
  const store = await Store.open(join(await scratch(), 'test.db'), { now: Date.now }, undefined, { patienceMs: 1 })
  onTestFinished(() => store.close())
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = store.transaction(async ({ db }) => {
    await db.deleteFrom('jobs').execute()
    begun.resolve()
    await over.promise
  })
  await begun.promise
  const dropped = dropUnposted(store, Date.now()).catch((thrown) => thrown)
  // By then, SQLite has answered whoever didn't wait.
  await new Promise((resolve) => setImmediate(resolve))
  over.resolve()
  await open
  expect(await dropped).toBeUndefined()
})
