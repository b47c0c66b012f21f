import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/domain/clock.ts'
import { sqliteDialect } from '../../src/store/sqlite.ts'
import { Store } from '../../src/store/store.ts'
import { scratch } from '../support/store.ts'

const ours = `select sql from sqlite_master where sql is not null and tbl_name not like 'kysely%' order by name`

test('the migrations make the schema that is pinned: a released one is never edited', async () => {
  const file = join(await scratch(), 'a.db')
  await (await Store.open(file, systemClock)).close()
  const database = new Sqlite(file, { readonly: true })
  const made = (database.prepare(ours).all() as { sql: string }[]).map((row) => `${row.sql};`).join('\n')
  database.close()
  expect(`${made}\n`).toBe(await readFile(join(import.meta.dirname, '../fixtures/schema.sql'), 'utf8'))
})

test('a database of a newer version is refused, and left as it is', async () => {
  const file = join(await scratch(), 'a.db')
  await (await Store.open(file, systemClock)).close()
  const database = new Sqlite(file)
  database.exec(`insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`)
  await expect(Store.open(file, systemClock)).rejects.toMatchObject({ code: 'migration_failed' })
  expect(database.prepare('select count(*) as count from kysely_migration').get()).toEqual({ count: 2 })
  database.close()
})

test('a migration that fails half way leaves nothing behind', async () => {
  const db = new Kysely<unknown>({ dialect: sqliteDialect(join(await scratch(), 'a.db')) })
  const half = {
    async up(on: Kysely<unknown>) {
      await sql`create table half (id text)`.execute(on)
      await sql`nonsense`.execute(on)
    },
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ half }) } })
  expect((await migrator.migrateToLatest()).error).toBeDefined()
  const { rows } = await sql`select name from sqlite_master where name = 'half'`.execute(db)
  expect(rows).toEqual([])
  await db.destroy()
})
