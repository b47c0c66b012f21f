import Sqlite from 'better-sqlite3'

/** Looks into the bot's database. While a process recovers the log after a kill, SQLite may give up: then it looks again. */
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
