import Sqlite from 'better-sqlite3'
import { Failure } from '../../kit/failure.ts'
import { storeWords } from '../words.ts'
import { inspectSqlite } from './inspect.ts'

/**
 * Copies a database that may be in use, as it is at one moment, with what stands in its log. Nobody holds the copy.
 * Throws `database_damaged`.
 */
export async function copySqlite(file: string, to: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, timeout: 10_000 })
  try {
    // In one step: a copy that pauses starts over whenever another process writes.
    await source.backup(to, { progress: () => 0x7fff_ffff })
  } finally {
    source.close()
  }
  const copy = new Sqlite(to)
  try {
    // It has no log beside it.
    copy.pragma('journal_mode = DELETE')
    copy.prepare('delete from locks').run()
  } finally {
    copy.close()
  }
  refuseDamaged(to, file)
}

/** `name`: how people know it. */
export function refuseDamaged(file: string, name: string): void {
  const faults = inspectSqlite(file)?.faults ?? []
  if (faults.length === 0) return
  const remedy = storeWords.damagedBackupRemedy()
  throw new Failure('database_damaged', storeWords.databaseDamaged({ name, fault: faults[0] ?? '' }), remedy)
}
