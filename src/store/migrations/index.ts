import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { asUnavailable } from '../../kit/unavailable.ts'
import type { Tables } from '../schema.ts'
import * as sessions from './001-sessions.ts'
import * as platforms from './002-platforms.ts'
import * as changes from './003-changes.ts'
import * as trust from './004-trust.ts'
import * as deaths from './005-deaths.ts'
import * as repair from './006-repair.ts'
import * as kept from './007-kept.ts'
import * as rounds from './008-rounds.ts'
import * as jobs from './009-jobs.ts'
import * as light from './010-light.ts'
import * as sections from './011-sections.ts'
import * as offered from './012-offered.ts'
import * as shared from './013-shared.ts'
import * as overheard from './014-overheard.ts'
import * as nodes from './015-nodes.ts'
import * as drain from './016-drain.ts'
import * as size from './017-size.ts'
import * as context from './018-context.ts'
import * as usage from './019-usage.ts'
import * as wakes from './020-wakes.ts'
import * as skills from './021-skills.ts'
import type { Columns } from './columns.ts'

/** Append-only: a released migration is never edited, renamed or removed. A test pins its schema. */
const migrations: Record<string, { up(db: Kysely<unknown>, columns: Columns): Promise<void> }> = {
  '001-sessions': sessions,
  '002-platforms': platforms,
  '003-changes': changes,
  '004-trust': trust,
  '005-deaths': deaths,
  '006-repair': repair,
  '007-kept': kept,
  '008-rounds': rounds,
  '009-jobs': jobs,
  '010-light': light,
  '011-sections': sections,
  '012-offered': offered,
  '013-shared': shared,
  '014-overheard': overheard,
  '015-nodes': nodes,
  '016-drain': drain,
  '017-size': size,
  '018-context': context,
  '019-usage': usage,
  '020-wakes': wakes,
  '021-skills': skills,
}

/** The newest schema that this version knows. */
export const newestSchema: string = Object.keys(migrations).at(-1) ?? ''

/** Whether nothing is missing, and nothing there that this version doesn't know. */
export async function hasNewest(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.length === Object.keys(migrations).length && rows.every(({ name }) => name in migrations)
}

/** For whoever only looks: throws `migration_failed`, or `schema_behind`, unless nothing is missing. */
export async function requireNewest(db: Kysely<Tables>): Promise<[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const isThere = tables.some(({ name }) => name === 'kysely_migration')
  const { rows } = isThere ? await sql<{ name: string }>`select name from kysely_migration`.execute(db) : { rows: [] }
  const unknown = rows.find(({ name }) => !(name in migrations))
  if (unknown !== undefined) throw newer(unknown.name)
  if (rows.length === Object.keys(migrations).length) return []
  throw new Failure(
    'schema_behind',
    rows.length === 0 ? 'The database has no tables yet.' : 'The database was made by an older version of Bobbin.',
    'Run `bobbin migrate`, or start this version; nothing was changed.',
  )
}

/**
 * Brings the database to the newest schema, all or nothing, and returns the names of what was missing. Refuses a history
 * that isn't a prefix of ours.
 */
export async function migrate(db: Kysely<Tables>, columns: Columns): Promise<string[]> {
  const provided: Record<string, Migration> = Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [name, { up: (on) => up(on, columns) }]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => provided } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(({ migrationName }) => migrationName)
  // What is no fault of the schema means the same as everywhere.
  if (error instanceof Failure || asUnavailable(error) !== undefined) throw error
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(reasonOf(error)) ?? []
  if (unknown !== undefined) throw newer(unknown, error)
  throw new Failure(
    'migration_failed',
    `The database cannot be used by this version of Bobbin: ${reasonOf(error)}`,
    'Start the version that wrote it, or restore a backup; nothing was changed.',
    { cause: error },
  )
}

const newer = (unknown: string, cause?: unknown): Failure =>
  new Failure(
    'migration_failed',
    `The database belongs to a newer version of Bobbin: it has the schema ${unknown}, and this version knows them up to ${newestSchema}.`,
    'Start that version, or a newer one; nothing was changed.',
    { cause },
  )
