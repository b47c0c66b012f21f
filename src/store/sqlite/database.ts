import { dirname } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { asUnavailable } from '../../kit/unavailable.ts'
import type { Database, DatabaseOptions } from '../database.ts'
import { makePrivate } from '../make-private.ts'
import { hasNewest, migrate, requireNewest } from '../migrations/index.ts'
import type { Tables } from '../schema.ts'
import { databaseBusy, isBusy } from './busy.ts'
import { sqliteColumns } from './columns.ts'
import { sqliteDialect } from './dialect.ts'
import { keeperOf } from './keeper.ts'
import { createTables } from './new-tables.ts'
import { Writer } from './writer.ts'

/** Throws `migration_failed`, `schema_behind`, `database_busy`, Unavailable. */
export async function openSqlite(
  file: string,
  { patienceMs, migrates = true, beforeMigrating, log }: DatabaseOptions,
): Promise<Database> {
  // What the team says is nobody else's on this machine.
  makePrivate(dirname(file))
  const open = (first?: (database: Sqlite.Database) => void) =>
    new Kysely<Tables>({ dialect: sqliteDialect(file, patienceMs, first), log })
  let created: string[] | undefined
  let writing: Kysely<Tables> | undefined
  try {
    writing = open((database) => {
      if (migrates) created = createTables(database)
    })
    // Kysely closes only what it has used, and the log would stay behind.
    await sql`select 1`.execute(writing)
    const migrated = created ?? (await (migrates ? bringUp(writing, beforeMigrating) : requireNewest(writing)))
    const reading = open()
    await sql`select 1`.execute(reading)
    return { ...databaseOf(file, reading, writing), migrated }
  } catch (thrown) {
    await writing?.destroy()
    if (isBusy(thrown)) throw databaseBusy(thrown)
    throw asUnavailable(thrown) ?? thrown
  }
}

/** Returns the steps of the schema that were missing. */
async function bringUp(db: Kysely<Tables>, beforeMigrating: DatabaseOptions['beforeMigrating']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
  const has = (table: string) => rows.some(({ name }) => name === table)
  if (has('kysely_migration') && (await hasNewest(db))) return []
  // A first start that was killed may have left only the first of these.
  if (has('kysely_migration') && has('locks')) await beforeMigrating?.(db)
  return migrate(db, sqliteColumns)
}

function databaseOf(file: string, reading: Kysely<Tables>, writing: Kysely<Tables>): Omit<Database, 'migrated'> {
  const writer = new Writer(writing)
  return {
    reading,
    transaction: (work, isUrgent) => writer.run(work, isUrgent),
    // One transaction is written at a time.
    alone: async () => {},
    hold: async () => {},
    wire: undefined,
    server: undefined,
    keeper: keeperOf(file),
    async close() {
      await writer.idle()
      await writing.destroy()
      await reading.destroy()
    },
  }
}
