import { type Kysely, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import type { Tables } from '../../src/store/schema.ts'
import { Store, type StoreOptions, type Tx } from '../../src/store/store.ts'
import { onPostgres } from './database.ts'
import { newPlace } from './store.ts'
import { until } from './until.ts'

/** Two processes on one database. SQLite would block this one while it waits for itself, so there both are the same. */
export async function two(ofFirst: StoreOptions = {}, ofSecond: StoreOptions = {}): Promise<[Store, Store]> {
  return twoOn(await newPlace(), ofFirst, ofSecond)
}

export async function twoOn(
  place: string,
  ofFirst: StoreOptions = {},
  ofSecond: StoreOptions = {},
): Promise<[Store, Store]> {
  const open = async (options: StoreOptions) => {
    // A transaction that is kept open is not to be taken for that of a frozen process.
    const store = await Store.open(place, systemClock, undefined, { patienceMs: 600_000, ...options })
    onTestFinished(() => store.close())
    return store
  }
  const first = await open(ofFirst)
  return [first, onPostgres ? await open(ofSecond) : first]
}

/** Whether a transaction waits for another one. With SQLite all others wait. */
export async function isOneWaiting(db: Kysely<Tables>): Promise<boolean> {
  if (!onPostgres) return true
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

/**
 * Another process does something while a transaction is open: once it waits for this one, or has done it, the
 * transaction goes on to `then`, and is committed.
 */
export async function meanwhile<T>(
  store: Store,
  open: (tx: Tx) => Promise<unknown>,
  other: () => Promise<T>,
  then: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<T> {
  const { promise: isOpen, resolve: opens } = Promise.withResolvers<void>()
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  const opened = store.transaction(async (tx) => {
    await open(tx)
    opens()
    await mayGoOn
    await then(tx)
  })
  await isOpen
  let isOver = false
  const result = other().finally(() => {
    isOver = true
  })
  result.catch(() => {})
  await until('the other one to wait', async () => isOver || (await isOneWaiting(store.db)))
  goOn()
  await opened
  return result
}
