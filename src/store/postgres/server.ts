import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { DatabaseServer } from '../database.ts'
import type { Tables } from '../schema.ts'

/** What the connections of a process are called. */
export const nameOf = (process: string): string => `bobbin ${process}`

/** `me`: this process. */
export const postgresServer = (db: Kysely<Tables>, pool: pg.Pool, me: string | undefined): DatabaseServer => ({
  run: (statements, values) => pool.query(statements, values),
  async now() {
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    return rows[0]?.now ?? Date.now()
  },
  async isConnected(process) {
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name in (${nameOf(process)}, ${nameOf(me ?? '')})`.execute(db)
    const names = rows.map(({ name }) => name)
    // Something between us and the server gives connections names of its own.
    if (me === undefined || !names.includes(nameOf(me))) return undefined
    return names.includes(nameOf(process))
  },
})
