import Sqlite from 'better-sqlite3'
import { Failure } from '../../kit/failure.ts'
import { storeWords } from '../words.ts'
import { inspectSqlite } from './inspect.ts'

/**
 * Copies a database that may be in use, as it is at one moment, with what stands in its log. Nobody holds the copy.
 * Throws `database_damaged`.
 */
export function copySqlite(file: string, to: string): void {
  refuseDamaged(file, file, storeWords.restoreFileRemedy())
  const source = new Sqlite(file, { readonly: true, timeout: 10_000 })
  try {
    // A copy of its pages would have what was deleted before deleted content was overwritten.
    source.prepare('vacuum into ?').run(to)
  } finally {
    source.close()
  }
  const copy = new Sqlite(to)
  try {
    copy.prepare('delete from locks').run()
  } finally {
    copy.close()
  }
}

/** `name`: how people know it. */
export function refuseDamaged(file: string, name: string, remedy: string): void {
  const faults = inspectSqlite(file)?.faults ?? []
  if (faults.length === 0) return
  throw new Failure('database_damaged', storeWords.databaseDamaged({ name, fault: faults[0] ?? '' }), remedy)
}
