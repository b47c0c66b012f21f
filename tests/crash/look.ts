import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'

/**
 * Queries the bot's database, and retries when SQLite gives up because a process is recovering the log after a kill. That
 * process may be frozen, and whoever thaws it needs a pause to do so.
 */
export async function look<T>(file: string, work: (database: Sqlite.Database) => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const database = new Sqlite(file, { readonly: true, timeout: 10_000 })
    try {
      return work(database)
    } catch (thrown) {
      if (attempt === 10 || (thrown as { code?: string }).code !== 'SQLITE_PROTOCOL') throw thrown
    } finally {
      database.close()
    }
    await sleep(100)
  }
}
