import Sqlite from 'better-sqlite3'

/** Queries the bot's database, and retries when SQLite gives up because a process is recovering the log after a kill. */
export function look<T>(file: string, work: (database: Sqlite.Database) => T): T {
  for (let attempt = 1; ; attempt++) {
    const database = new Sqlite(file, { readonly: true, timeout: 10_000 })
    try {
      return work(database)
    } catch (thrown) {
      if (attempt === 5 || (thrown as { code?: string }).code !== 'SQLITE_PROTOCOL') throw thrown
    } finally {
      database.close()
    }
  }
}
