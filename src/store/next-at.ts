import { type RawBuilder, sql } from 'kysely'
import type { Db } from './store.ts'

/** SQL for the earliest time at which something is due; null when nothing is. */
export type NextAt = RawBuilder<number | null>

/** When each of them is due, asked for in one query; Infinity when it isn't. */
export async function nextTimes(db: Db, times: NextAt[]): Promise<number[]> {
  if (times.length === 0) return []
  const columns = times.map((time, place) => sql`(${time}) as ${sql.ref(`next_${place}`)}`)
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(columns)}`.execute(db)
  return times.map((_, place) => rows[0]?.[`next_${place}`] ?? Number.POSITIVE_INFINITY)
}
