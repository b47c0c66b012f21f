import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import { asUnavailable } from '../../kit/unavailable.ts'
import type { Database, DatabaseOptions } from '../database.ts'
import { makePrivate } from '../make-private.ts'
import { migrate, requireNewest } from '../migrations/index.ts'
import type { Tables } from '../schema.ts'
import { databaseBusy, isBusy } from './busy.ts'
import { sqliteColumns } from './columns.ts'
import { sqliteDialect } from './dialect.ts'
import { keeperOf } from './keeper.ts'
import { Writer } from './writer.ts'

/** Throws `migration_failed`, `schema_behind`, `database_busy`, Unavailable. */
export async function openSqlite(
  file: string,
  { patienceMs, migrates = true, log }: DatabaseOptions,
): Promise<Database> {
  // What the team says is nobody else's on this machine.
  makePrivate(dirname(file))
  const open = () => new Kysely<Tables>({ dialect: sqliteDialect(file, patienceMs), log })
  let writing: Kysely<Tables> | undefined
  try {
    writing = open()
    const migrated = migrates ? await migrate(writing, sqliteColumns) : await requireNewest(writing)
    const reading = open()
    // Kysely closes only what it has used, and the log stays behind.
    await sql`select 1`.execute(reading)
    return { ...databaseOf(file, reading, writing), migrated }
  } catch (thrown) {
    await writing?.destroy()
    if (isBusy(thrown)) throw databaseBusy(thrown)
    throw asUnavailable(thrown) ?? thrown
  }
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
