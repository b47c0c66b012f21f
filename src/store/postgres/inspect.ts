import { Kysely, sql } from 'kysely'
import { type DatabaseReport, missingTables, queries } from '../database-report.ts'
import { poolConfig } from './database.ts'
import { postgresDialect } from './dialect.ts'

/** Throws Unavailable. */
export async function inspectPostgres(url: string): Promise<DatabaseReport | undefined> {
  const db = new Kysely<unknown>({ dialect: postgresDialect({ pool: poolConfig(url, 1), patienceMs: 5_000 }) })
  const rowsOf = async <Row>(query: string) => (await sql.raw<Row>(query).execute(db)).rows
  try {
    const tables = await rowsOf<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = current_schema()',
    )
    const has = (table: string): boolean => tables.some(({ name }) => name === table)
    if (!has('kysely_migration')) return undefined
    const faults = missingTables(has)
    if (faults.length > 0) return { faults, lock: undefined, sessions: 0, refused: [], failed: [], isBehind: false }
    const [lock] = await rowsOf<NonNullable<DatabaseReport['lock']>>(queries.lock)
    const [counted] = await rowsOf<{ sessions: number }>(queries.sessions)
    const refused = await rowsOf<DatabaseReport['refused'][number]>(queries.refused)
    const failed = await rowsOf<DatabaseReport['failed'][number]>(queries.failed)
    return { faults, lock, sessions: counted?.sessions ?? 0, refused, failed, isBehind: false }
  } finally {
    await db.destroy()
  }
}
