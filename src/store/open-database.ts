import { existsSync, statSync } from 'node:fs'
import { Failure, reasonOf } from '../kit/failure.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { storeWords } from './words.ts'

/** A place is the address of a PostgreSQL server, or else a file. */
export const isServer = (place: string): boolean => /^postgres(ql)?:\/\//.test(place)

/** Each is loaded only when it is used. */
export async function openDatabase(place: string, options: DatabaseOptions = {}): Promise<Database> {
  if (isServer(place)) return (await import('./postgres/database.ts')).openPostgres(place, options)
  return (await import('./sqlite/database.ts')).openSqlite(place, options)
}

/**
 * Whether there is a database to read. A file that is still empty doesn't count, and stays as it is. Throws
 * `cannot_open` for a user who may not know.
 */
export function hasDatabase(place: string): boolean {
  if (isServer(place)) return true
  try {
    return (statSync(place, { throwIfNoEntry: false })?.size ?? 0) > 0 || existsSync(`${place}-wal`)
  } catch (thrown) {
    const fact = storeWords.databaseUnreadable({ place, reason: reasonOf(thrown) })
    throw new Failure('cannot_open', fact, storeWords.databaseUnreadableRemedy(), { cause: thrown })
  }
}
