import type { Failure } from '../kit/failure.ts'
import { type MoveProgress, moveNoteName } from './move-note.ts'
import type { FoundLock } from './see-nodes.ts'

export interface DatabaseReport {
  /** The database's own complaints, and tables that are missing; empty when it is sound. */
  faults: string[]
  /** Set when it belongs to a newer version. Only `locks` is known of it then. */
  newer: Failure | undefined
  /** Who runs on it, or died without giving up the lock. */
  locks: FoundLock[]
  sessions: number
  /** Messages that a platform refuses until somebody fixes something. */
  refused: { platform: string; reason: string; remedy: string; count: number }[]
  /** Jobs that were given up. */
  failed: { kind: string; reason: string; count: number }[]
  /** Something that was stored in it is missing. */
  isBehind: boolean
  /** Set when it was moved elsewhere, or a move isn't finished. */
  move: MoveProgress | undefined
}

/** Nothing works without these tables; others were added later. */
const needed = ['sessions', 'inbox', 'turns', 'messages', 'calls', 'requests', 'outbox', 'events']

export const missingTables = (has: (table: string) => boolean): string[] =>
  needed.filter((table) => !has(table)).map((table) => `the table ${table} is missing`)

/** The report on a database in which little can be read. */
export const unreadable = (faults: string[]): DatabaseReport => ({
  faults,
  newer: undefined,
  locks: [],
  sessions: 0,
  refused: [],
  failed: [],
  isBehind: false,
  move: undefined,
})

export const moveIn = (value: unknown): MoveProgress | undefined =>
  typeof value === 'string' ? JSON.parse(value) : undefined

export const queries = {
  steps: 'select name from kysely_migration',
  locks: 'select * from locks order by name',
  sessions: 'select count(*) as sessions from sessions',
  move: `select value from notes where name = '${moveNoteName}'`,
  refused: `select platform, reason, remedy, count(*) as count from outbox join sessions on sessions.id = session_id
    where state = 'pending' and refused_at is not null group by platform, reason, remedy`,
  failed: `select kind, reason, count(*) as count from jobs where state = 'failed' group by kind, reason limit 20`,
}
