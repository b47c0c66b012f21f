import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { LockRow } from '../schema.ts'
import { readMark } from './mark-file.ts'

export interface DatabaseReport {
  /** The complaints of SQLite's check; empty when the file is sound. */
  faults: string[]
  /** Who runs the engine on it, or died without giving up the lock. */
  lock: Pick<LockRow, 'host' | 'pid' | 'beat_at'> | undefined
  sessions: number
  /** Messages that a platform refuses until somebody fixes something. */
  refused: { platform: string; reason: string; remedy: string; count: number }[]
  /** Jobs that were given up. */
  failed: { kind: string; reason: string; count: number }[]
  /** Something that was stored in it is missing. */
  isBehind: boolean
}

/** Nothing works without these tables; others were added later. */
const needed = ['sessions', 'inbox', 'turns', 'messages', 'calls', 'requests', 'outbox', 'events']

const refusals = `select platform, reason, remedy, count(*) as count from outbox join sessions on sessions.id = session_id
  where state = 'pending' and refused_at is not null group by platform, reason, remedy`

const failures = `select kind, reason, count(*) as count from jobs where state = 'failed' group by kind, reason limit 20`

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

/** Looks into a database without changing anything, even while a bot runs on it. Undefined when there is none yet. */
export function inspectDatabase(file: string): DatabaseReport | undefined {
  if (!existsSync(file)) return undefined
  const database = new Sqlite(file, { readonly: true, timeout: 5_000 })
  try {
    const faults = faultsOf(database)
    if (faults.length > 0) return { faults, lock: undefined, sessions: 0, refused: [], failed: [], isBehind: false }
    const has = (table: string): boolean =>
      database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined
    if (has('kysely_migration'))
      faults.push(...needed.filter((table) => !has(table)).map((table) => `the table ${table} is missing`))
    const lock = has('locks')
      ? (database.prepare("select host, pid, beat_at from locks where name = 'engine'").get() as DatabaseReport['lock'])
      : undefined
    const counted = has('sessions')
      ? (database.prepare('select count(*) as sessions from sessions').get() as { sessions: number })
      : { sessions: 0 }
    // Reading a damaged table gives nonsense, or throws.
    const isReadable = faults.length === 0 && hasRefusals(database)
    const refused = isReadable ? (database.prepare(refusals).all() as DatabaseReport['refused']) : []
    const failed =
      faults.length === 0 && has('jobs') ? (database.prepare(failures).all() as DatabaseReport['failed']) : []
    const mark = has('notes')
      ? database.prepare("select value from notes where name = 'store.mark'").pluck().get()
      : undefined
    return { faults, lock, sessions: counted.sessions, refused, failed, isBehind: Number(mark ?? 0) < readMark(file) }
  } finally {
    database.close()
  }
}
