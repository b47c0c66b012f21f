import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql, type Transaction } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import pg from 'pg'
import { Failure } from '../../kit/failure.ts'
import type { Database, DatabaseOptions } from '../database.ts'
import { hasNewest, migrate, requireNewest } from '../migrations/index.ts'
import type { Tables } from '../schema.ts'
import { storeWords } from '../words.ts'
import { postgresColumns } from './columns.ts'
import { connectMsOf } from './connect-ms.ts'
import { postgresDialect } from './dialect.ts'
import { openPool } from './driver.ts'
import { denied, triesAfter } from './faults.ts'
import { nameOf, postgresServer } from './server.ts'
import { PostgresWire } from './wire.ts'

/**
 * At most ten connections, including the one that listens, each opened when it is needed. A transaction may wait for a
 * read, so transactions leave some for reads.
 */
const mostConnections = 9
const mostTransactions = 5

const oldest = 13

/** Throws `migration_failed`, `schema_behind`, `unfit_database`, Unavailable. */
export async function openPostgres(
  url: string,
  { patienceMs = 10_000, answerMs, holder, migrates = true, log }: DatabaseOptions,
): Promise<Database> {
  const pool = openPool(poolConfig(url, mostConnections, holder), answerMs)
  const db = new Kysely<Tables>({ dialect: postgresDialect({ pool, patienceMs }), log })
  let migrated: string[]
  try {
    if (await checkServer(db)) migrated = []
    else migrated = migrates ? await migrateAlone(url, patienceMs, log) : await requireNewest(db)
  } catch (thrown) {
    await db.destroy()
    throw thrown
  }
  const wire = new PostgresWire({ ...poolConfig(url, 1, holder), query_timeout: answerMs }, db)
  const atOnce = pLimit(mostTransactions)
  const running = new Set<Promise<unknown>>()
  return {
    reading: db,
    transaction(work) {
      const one = transaction(db, atOnce, work).finally(() => running.delete(one))
      running.add(one)
      return one
    },
    alone: lockName,
    async hold(on, session) {
      await sql`select id from sessions where id = ${session} for no key update`.execute(on)
    },
    keeper: undefined,
    wire,
    server: postgresServer(db, pool, holder),
    migrated,
    async close() {
      while (running.size > 0) await Promise.allSettled(running)
      await wire.close()
      await db.destroy()
    },
  }
}

export const poolConfig = (url: string, max: number, holder?: string): pg.PoolConfig => ({
  connectionString: url,
  max,
  connectionTimeoutMillis: connectMsOf(url),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: holder === undefined ? 'bobbin' : nameOf(holder),
  types: { getTypeParser },
})

/** Numbers of 64 bits, and sums of them, are numbers: no count or time gets too large for that. */
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
    ? Number
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

/** Whether it has the newest schema. Throws `unfit_database`, Unavailable. */
export async function checkServer(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ version: string; encoding: string; has_schema: boolean }>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      to_regclass('kysely_migration') is not null as has_schema`.execute(db)
  const version = Math.floor(Number(rows[0]?.version) / 10_000)
  const encoding = rows[0]?.encoding
  if (version < oldest) {
    throw new Failure('unfit_database', storeWords.serverTooOld({ version }), storeWords.serverTooOldRemedy({ oldest }))
  }
  if (encoding !== 'UTF8') {
    const remedy = storeWords.wrongEncodingRemedy()
    throw new Failure('unfit_database', storeWords.wrongEncoding({ encoding: encoding ?? '?' }), remedy)
  }
  return rows[0]?.has_schema === true && hasNewest(db)
}

/**
 * Of several processes that start at once, one migrates, and the others wait for it. Each answer may take as long as it
 * likes.
 */
async function migrateAlone(url: string, patienceMs: number, log: DatabaseOptions['log']): Promise<string[]> {
  const pool = openPool(poolConfig(url, 1))
  const db = new Kysely<Tables>({ dialect: postgresDialect({ pool, patienceMs }), log })
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = 0`.execute(tx)
      await lockName(tx, 'migrate')
      if (!(await mayMigrate(tx))) throw denied()
      return migrate(tx, postgresColumns)
    })
  } finally {
    await db.destroy()
  }
}

/** In a transaction a refusal would hide behind the next statement. */
async function mayMigrate(db: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select to_regclass('kysely_migration') is not null or has_schema_privilege(current_schema(), 'create') as may`.execute(
    db,
  )
  return rows[0]?.may === true
}

/** Until the end of the transaction. */
async function lockName(db: Transaction<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bobbin ${name}`}, 0))`.execute(db)
}

async function transaction<T>(
  db: Kysely<Tables>,
  atOnce: LimitFunction,
  work: (db: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await atOnce(() => db.transaction().execute(work))
    } catch (thrown) {
      if (tries >= triesAfter(thrown)) throw thrown
      await sleep(Math.random() * 5 * 2 ** tries)
    }
  }
}
