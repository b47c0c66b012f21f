import { Kysely, sql } from 'kysely'
import { type DatabaseReport, missingTables, moveIn, queries, unreadable } from '../database-report.ts'
import { newerThanOurs } from '../migrations/index.ts'
import type { FoundLock } from '../see-nodes.ts'
import { checkServer, poolConfig } from './database.ts'
import { postgresDialect } from './dialect.ts'
import { openPool } from './driver.ts'

const openForReading = (url: string) =>
  new Kysely<unknown>({ dialect: postgresDialect({ pool: openPool(poolConfig(url, 1)), patienceMs: 5_000 }) })

/** Of the processes on it. Throws Unavailable. */
export async function inspectLocks(url: string): Promise<FoundLock[]> {
  const db = openForReading(url)
  return (
    await sql
      .raw<FoundLock>(queries.locks)
      .execute(db)
      .finally(() => db.destroy())
  ).rows
}

/** Throws `unfit_database`, Unavailable. */
export async function inspectPostgres(url: string): Promise<DatabaseReport | undefined> {
  const db = openForReading(url)
  const rowsOf = async <Row>(query: string) => (await sql.raw<Row>(query).execute(db)).rows
  try {
    await checkServer(db)
    const tables = await rowsOf<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = current_schema()',
    )
    const has = (table: string): boolean => tables.some(({ name }) => name === table)
    if (!has('kysely_migration')) return undefined
    const newer = newerThanOurs(await rowsOf<{ name: string }>(queries.steps))
    const locks = has('locks') ? await rowsOf<FoundLock>(queries.locks) : []
    if (newer !== undefined) return { ...unreadable([]), newer, locks }
    const faults = missingTables(has)
    if (faults.length > 0) return unreadable(faults)
    const [counted] = await rowsOf<{ sessions: number }>(queries.sessions)
    const refused = await rowsOf<DatabaseReport['refused'][number]>(queries.refused)
    const failed = await rowsOf<DatabaseReport['failed'][number]>(queries.failed)
    const [moved] = await rowsOf<{ value: string }>(queries.move)
    const move = moveIn(moved?.value)
    return { faults, newer, locks, sessions: counted?.sessions ?? 0, refused, failed, isBehind: false, move }
  } finally {
    await db.destroy()
  }
}
