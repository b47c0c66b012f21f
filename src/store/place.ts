import { existsSync, statSync } from 'node:fs'
import { Failure, reasonOf } from '../kit/failure.ts'
import { storeWords } from './words.ts'

/** A place is the address of a PostgreSQL server, or else a file. */
export const isServer = (place: string): boolean => /^postgres(ql)?:\/\//.test(place)

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
