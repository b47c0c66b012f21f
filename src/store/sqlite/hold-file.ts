import Sqlite from 'better-sqlite3'

/**
 * Makes the file if it is missing, and holds it until the returned function is called or this process ends, in whatever
 * way. Undefined: another process holds it. Unlike a stored process id, it can't belong to somebody else by now.
 */
export function holdFile(file: string): (() => void) | undefined {
  const database = new Sqlite(file, { timeout: 0 })
  try {
    database.exec('begin exclusive')
    return () => database.close()
  } catch (thrown) {
    database.close()
    if (thrown instanceof Sqlite.SqliteError && thrown.code.startsWith('SQLITE_BUSY')) return undefined
    throw thrown
  }
}
