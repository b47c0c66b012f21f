import type { FoundLock } from './see-nodes.ts'

export interface DatabaseReport {
  /** The database's own complaints, and tables that are missing; empty when it is sound. */
  faults: string[]
  /** Who runs on it, or died without giving up the lock. */
  locks: FoundLock[]
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

export const missingTables = (has: (table: string) => boolean): string[] =>
  needed.filter((table) => !has(table)).map((table) => `the table ${table} is missing`)

export const queries = {
  locks: 'select * from locks order by name',
  sessions: 'select count(*) as sessions from sessions',
  refused: `select platform, reason, remedy, count(*) as count from outbox join sessions on sessions.id = session_id
    where state = 'pending' and refused_at is not null group by platform, reason, remedy`,
  failed: `select kind, reason, count(*) as count from jobs where state = 'failed' group by kind, reason limit 20`,
}
