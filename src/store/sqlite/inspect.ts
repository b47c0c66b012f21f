import Sqlite from 'better-sqlite3'
import { type DatabaseReport, missingTables, moveIn, queries, unreadable } from '../database-report.ts'
import { newerThanOurs } from '../migrations/index.ts'
import { hasDatabase } from '../place.ts'
import type { FoundLock } from '../see-nodes.ts'
import { readMark } from './mark-file.ts'

/** Older databases have no such column. */
const hasRefusals = (database: Sqlite.Database): boolean =>
  (database.pragma('table_info(outbox)') as { name: string }[]).some(({ name }) => name === 'refused_at')

function faultsOf(database: Sqlite.Database): string[] {
  try {
    const checked = database.pragma('quick_check(5)') as { quick_check: string }[]
    return checked.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok')
  } catch (thrown) {
    // Some damage aborts the check itself.
    if (thrown instanceof Sqlite.SqliteError && thrown.code === 'SQLITE_CORRUPT') return [thrown.message]
    throw thrown
  }
}

export function inspectSqlite(file: string): DatabaseReport | undefined {
  if (!hasDatabase(file)) return undefined
  const database = new Sqlite(file, { readonly: true, timeout: 5_000 })
  try {
    const faults = faultsOf(database)
    if (faults.length > 0) return unreadable(faults)
    const has = (table: string): boolean =>
      database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined
    const isMade = has('kysely_migration')
    const newer = isMade ? newerThanOurs(database.prepare(queries.steps).all() as { name: string }[]) : undefined
    const locks = has('locks') ? (database.prepare(queries.locks).all() as FoundLock[]) : []
    if (newer !== undefined) return { ...unreadable([]), newer, locks }
    if (isMade) faults.push(...missingTables(has))
    const counted = has('sessions')
      ? (database.prepare(queries.sessions).get() as { sessions: number })
      : { sessions: 0 }
    // Reading a damaged table gives nonsense, or throws.
    const isReadable = faults.length === 0 && hasRefusals(database)
    const refused = isReadable ? (database.prepare(queries.refused).all() as DatabaseReport['refused']) : []
    const failed =
      faults.length === 0 && has('jobs') ? (database.prepare(queries.failed).all() as DatabaseReport['failed']) : []
    const mark = has('notes')
      ? database.prepare("select value from notes where name = 'store.mark'").pluck().get()
      : undefined
    const isBehind = Number(mark ?? 0) < readMark(file)
    const move = moveIn(has('notes') ? database.prepare(queries.move).pluck().get() : undefined)
    return { faults, newer, locks, sessions: counted.sessions, refused, failed, isBehind, move }
  } finally {
    database.close()
  }
}
