import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { DatabaseServer } from '../database.ts'
import type { Tables } from '../schema.ts'

/** What the connections of a process are called. */
export const nameOf = (holder: string): string => `bobbin ${holder}`

export const postgresServer = (db: Kysely<Tables>, pool: pg.Pool, own: string | undefined): DatabaseServer => ({
  run: (statements, values) => pool.query(statements, values),
  async now() {
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    return rows[0]?.now ?? Date.now()
  },
  async isConnected(holder) {
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name in (${nameOf(holder)}, ${nameOf(own ?? '')})`.execute(db)
    const names = rows.map(({ name }) => name)
    // Something between us and the server gives connections names of its own.
    if (own === undefined || !names.includes(nameOf(own))) return undefined
    return names.includes(nameOf(holder))
  },
})
