import { readFileSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { schemas } from '../migrations/index.ts'

/** What the migrations leave behind. A test compares them. */
const schema = new URL('./schema.sql', import.meta.url)

/**
 * Gives an empty database the newest schema at once, because running every migration would take a tenth of a start.
 * Returns their names, or undefined if there is something already.
 */
export function createTables(database: Sqlite.Database): string[] | undefined {
  if (!isEmpty(database)) return undefined
  const create = database.transaction(() => {
    // Another process may just have done it.
    if (!isEmpty(database)) return undefined
    database.exec(readFileSync(schema, 'utf8'))
    database.exec("insert into kysely_migration_lock (id) values ('migration_lock')")
    const add = database.prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
    const now = new Date().toISOString()
    for (const name of schemas) add.run(name, now)
    return schemas
  })
  return create.immediate()
}

const isEmpty = (database: Sqlite.Database): boolean =>
  database.prepare('select 1 from sqlite_master').get() === undefined
