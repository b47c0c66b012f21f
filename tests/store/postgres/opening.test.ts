import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { poolConfig } from '../../../src/store/postgres/database.ts'
import { openPool } from '../../../src/store/postgres/driver.ts'
import { Store } from '../../../src/store/store.ts'
import { atServer, postgresDatabase } from '../../support/database.ts'
import { careful } from '../../support/postgres.ts'
import { scratch } from '../../support/store.ts'
import { eventually, until } from '../../support/until.ts'

const open = (url: string) => Store.open(url, systemClock)

const changed = (url: string, change: (url: URL) => void): string => {
  const other = new URL(url)
  // On a busy machine, 10 s may pass before the server refuses anything.
  other.searchParams.set('connect_timeout', '120')
  change(other)
  return other.href
}

test('a wrong password, a missing database, a server that is not there, and no rights are one sentence each', async () => {
  const url = await postgresDatabase('empty')
  const as = (password: string) =>
    changed(url, ({ searchParams }) => {
      searchParams.set('user', careful.user)
      searchParams.set('password', password)
    })
  const nowhere = await scratch()
  const faults: [string, object][] = [
    [as('wrong'), { code: 'database_denied', message: expect.stringContaining('refuses the user or the password') }],
    [as(careful.password), { code: 'database_denied', message: expect.stringContaining('isn’t allowed to create') }],
    [
      changed(url, (other) => {
        other.pathname = '/nowhere'
      }),
      { code: 'database_missing', remedy: expect.stringContaining('createdb') },
    ],
    [changed(url, ({ searchParams }) => searchParams.set('host', nowhere)), { code: 'database_unreachable' }],
    ['postgres://bobbin@127.0.0.1:1/bobbin', { code: 'database_unreachable' }],
  ]
  for (const [place, fault] of faults) await expect(open(place)).rejects.toMatchObject(fault)
})

async function migrationsIn(url: string): Promise<number> {
  const rows = await atServer<{ count: number }>(url, 'select count(*)::int as count from kysely_migration')
  return rows[0]?.count ?? 0
}

test('connecting may take as long as the address says', () => {
  const allowed = (parameters: string) => poolConfig(`postgres:///bobbin${parameters}`, 1).connectionTimeoutMillis
  expect(allowed('?host=/run/postgresql&connect_timeout=30')).toBe(30_000)
  expect(allowed('?connect_timeout=9999999')).toBe(120_000)
  for (const parameters of ['', '?connect_timeout=0', '?connect_timeout=soon']) expect(allowed(parameters)).toBe(10_000)
})

test('several that start at once on an empty database all find it ready', async () => {
  const url = await postgresDatabase('empty')
  const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)))
  await Promise.all(stores.map((store) => store.close()))
  expect(await migrationsIn(url)).toBe(await migrationsIn(await postgresDatabase()))
})

test('a database of a newer version is refused, and left as it is', async () => {
  const url = await postgresDatabase()
  const before = await migrationsIn(url)
  await atServer(url, `insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`)
  await expect(open(url)).rejects.toMatchObject({ code: 'migration_failed' })
  expect(await migrationsIn(url)).toBe(before + 1)
})

test('a database that cannot store every text is refused', async () => {
  const url = await postgresDatabase('empty')
  await atServer(url, "create database latin encoding 'LATIN1' locale 'C' locale_provider libc template template0")
  const latin = changed(url, (other) => {
    other.pathname = '/latin'
  })
  await expect(open(latin)).rejects.toMatchObject({ code: 'unfit_database', remedy: expect.stringContaining('UTF8') })
  await atServer(url, 'drop database latin')
})

/** Everything that a migration makes. */
const schema = `
  select 'column ' || table_name || '.' || column_name || ' ' || data_type || coalesce(' ' || collation_name, '')
    || case is_nullable when 'NO' then ' not null' else '' end || coalesce(' default ' || column_default, '') as line
    from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint on ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`

test('the migrations make the schema that is pinned: a released one is never edited', async () => {
  const lines = await atServer<{ line: string }>(await postgresDatabase(), schema)
  const made = lines.flatMap(({ line }) => (line.includes('kysely') ? [] : line)).toSorted()
  const pinned = join(import.meta.dirname, '../../fixtures/schema-postgres.txt')
  expect(`${made.join('\n')}\n`).toBe(await readFile(pinned, 'utf8'))
})

test('a process opens ten connections at most, however much it has to do', async () => {
  const url = await postgresDatabase()
  const store = await open(url)
  const connections = async () => {
    const others = "backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()"
    return (await atServer(url, `select 1 from pg_stat_activity where ${others}`)).length
  }
  try {
    store.wire?.hear('wake', () => {})
    const work = [() => sql`select pg_sleep(0.05)`.execute(store.db), () => store.transaction(async () => {})]
    // One that has nothing to do for ten seconds is closed.
    const most = await until('all connections', async () => {
      await Promise.all(Array.from({ length: 30 }, () => work.map((one) => one())).flat())
      const count = await connections()
      return count >= 10 && count
    })
    expect(most).toBe(10)
  } finally {
    await store.close()
  }
})

test('whoever waits for a free connection is not told that the server is away', async () => {
  const pool = openPool({ connectionString: await postgresDatabase(), max: 1, connectionTimeoutMillis: 500 })
  // On a busy machine, connecting itself may take longer.
  const first = await eventually(() => pool.connect())
  const second = pool.query('select 1 as one')
  await first.query('select pg_sleep(1.5)')
  first.release()
  expect((await second).rows).toEqual([{ one: 1 }])
  await pool.end()
})
