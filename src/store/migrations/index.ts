import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { asUnavailable } from '../../kit/unavailable.ts'
import type { Tables } from '../schema.ts'
import { storeWords } from '../words.ts'
import type { Columns } from './columns.ts'

/**
 * Append-only: a released migration is never edited, renamed or removed. A test pins its schema. Most starts need none
 * of them, so they are loaded when they are needed.
 */
const migrations: Record<string, () => Promise<{ up(db: Kysely<unknown>, columns: Columns): Promise<void> }>> = {
  '001-sessions': () => import('./001-sessions.ts'),
  '002-platforms': () => import('./002-platforms.ts'),
  '003-changes': () => import('./003-changes.ts'),
  '004-trust': () => import('./004-trust.ts'),
  '005-deaths': () => import('./005-deaths.ts'),
  '006-repair': () => import('./006-repair.ts'),
  '007-kept': () => import('./007-kept.ts'),
  '008-rounds': () => import('./008-rounds.ts'),
  '009-jobs': () => import('./009-jobs.ts'),
  '010-light': () => import('./010-light.ts'),
  '011-sections': () => import('./011-sections.ts'),
  '012-offered': () => import('./012-offered.ts'),
  '013-shared': () => import('./013-shared.ts'),
  '014-overheard': () => import('./014-overheard.ts'),
  '015-nodes': () => import('./015-nodes.ts'),
  '016-drain': () => import('./016-drain.ts'),
  '017-size': () => import('./017-size.ts'),
  '018-context': () => import('./018-context.ts'),
  '019-usage': () => import('./019-usage.ts'),
  '020-wakes': () => import('./020-wakes.ts'),
  '021-skills': () => import('./021-skills.ts'),
  '022-mode': () => import('./022-mode.ts'),
  '023-agents': () => import('./023-agents.ts'),
  '024-children': () => import('./024-children.ts'),
  '025-plans': () => import('./025-plans.ts'),
  '027-threads': () => import('./027-threads.ts'),
  '028-tokens': () => import('./028-tokens.ts'),
  '033-said': () => import('./033-said.ts'),
  '034-posting': () => import('./034-posting.ts'),
  '036-recognized': () => import('./036-recognized.ts'),
  '037-tries': () => import('./037-tries.ts'),
  '038-narrow': () => import('./038-narrow.ts'),
  '039-accents': () => import('./039-accents.ts'),
  '040-by-session': () => import('./040-by-session.ts'),
  '041-listening': () => import('./041-listening.ts'),
  '042-reserved': () => import('./042-reserved.ts'),
  '043-told': () => import('./043-told.ts'),
  '044-latest': () => import('./044-latest.ts'),
}

/** Every schema that this version knows, from the oldest to the newest. */
export const schemas: string[] = Object.keys(migrations)

export const newestSchema: string = schemas.at(-1) ?? ''

/** Whether nothing is missing, and nothing there that this version doesn't know. */
export async function hasNewest(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.length === schemas.length && rows.every(({ name }) => name in migrations)
}

/** For whoever only looks: throws `migration_failed`, or `schema_behind`, unless nothing is missing. */
export async function requireNewest(db: Kysely<Tables>): Promise<[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const isThere = tables.some(({ name }) => name === 'kysely_migration')
  const { rows } = isThere ? await sql<{ name: string }>`select name from kysely_migration`.execute(db) : { rows: [] }
  const unknown = newerThanOurs(rows)
  if (unknown !== undefined) throw unknown
  if (rows.length === schemas.length) return []
  throw new Failure(
    'schema_behind',
    rows.length === 0 ? storeWords.noTables() : storeWords.schemaBehind(),
    storeWords.schemaBehindRemedy(),
  )
}

/**
 * Brings the database to the newest schema, all or nothing, and returns the names of what was missing. Refuses a
 * history that isn't a prefix of ours.
 */
export async function migrate(db: Kysely<Tables>, columns: Columns): Promise<string[]> {
  const { Migrator } = await import('kysely/migration')
  const migrator = new Migrator({ db, provider: { getMigrations: () => load(columns) } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(({ migrationName }) => migrationName)
  // What is no fault of the schema means the same as everywhere.
  if (error instanceof Failure || asUnavailable(error) !== undefined) throw error
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(reasonOf(error)) ?? []
  if (unknown !== undefined) throw newer(unknown, error)
  throw new Failure(
    'migration_failed',
    storeWords.foreignHistory({ reason: reasonOf(error) }),
    storeWords.foreignHistoryRemedy(),
    { cause: error },
  )
}

async function load(columns: Columns): Promise<Record<string, Migration>> {
  const loaded: Record<string, Migration> = {}
  for (const [name, load] of Object.entries(migrations)) {
    const { up } = await load()
    loaded[name] = { up: (db) => up(db, columns) }
  }
  return loaded
}

/** `migration_failed`, if a newer version has been at work. */
export function newerThanOurs(steps: { name: string }[]): Failure | undefined {
  const unknown = steps.find(({ name }) => !(name in migrations))
  return unknown && newer(unknown.name)
}

const newer = (unknown: string, cause?: unknown): Failure =>
  new Failure('migration_failed', storeWords.schemaAhead({ unknown, newestSchema }), storeWords.schemaAheadRemedy(), {
    cause,
  })
