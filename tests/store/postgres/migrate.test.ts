import { expect, test } from 'vitest'
import { newestSchema } from '../../../src/store/migrations/index.ts'
import { bobbin, bobbinHere } from '../../commands/support.ts'
import { patient } from '../../nodes/support.ts'
import { openPlace } from '../../support/bot-process.ts'
import { atServer, postgresDatabase } from '../../support/database.ts'
import { says } from '../../support/model-server.ts'
import { careful } from '../../support/postgres.ts'
import { changeIn } from '../../support/rows.ts'
import { scratch } from '../../support/store.ts'

const onSqlite: Record<string, string> = {}

const made = `The database is up to date now: `
const done = { code: 0, err: '', out: 'The database is up to date.\n' }

const migrationsIn = (url: string) =>
  atServer<{ name: string }>(url, 'select name from kysely_migration order by name desc')

test('migrate makes the schema without starting a bot, and has nothing to do the second time', async () => {
  const dataDir = await scratch()
  const url = await postgresDatabase('empty')
  for (const environment of [onSqlite, { DATABASE_URL: url }]) {
    const { code, out } = await bobbinHere(dataDir, 'migrate', environment)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`${made}001-sessions, `) })
    expect(out).toContain(`${newestSchema}.`)
    expect(await bobbinHere(dataDir, 'migrate', environment)).toEqual(done)
  }
  expect(await atServer(url, 'select name from bobbin_engine.queue')).toContainEqual({ name: 'sessions' })
  expect((await bobbinHere(dataDir, 'migrate', '--now')).code).toBe(2)
})

test('commands that only look leave the schema as it is, and say what is missing', async () => {
  const dataDir = await scratch()
  const DATABASE_URL = await postgresDatabase('empty')
  const look = async (environment: Record<string, string>) => {
    const { code, err } = await bobbinHere(dataDir, 'nodes', environment)
    return `${code} ${err.trim()}`
  }
  const remedy = 'Run `bobbin migrate`, or start this version; nothing was changed.'
  expect(await look({ DATABASE_URL })).toBe(`1 The database has no tables yet. ${remedy}`)
  expect(await atServer(DATABASE_URL, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([])

  const older = await postgresDatabase()
  const forget = `delete from kysely_migration where name = '${newestSchema}'`
  await atServer(older, forget)
  await bobbinHere(dataDir, 'migrate')
  changeIn(`${dataDir}/bobbin.db`, forget)
  const refusal = `1 The database was made by an older version of Bobbin. ${remedy}`
  expect([await look({ DATABASE_URL: older }), await look(onSqlite)]).toEqual([refusal, refusal])
})

test('several that migrate and start at once share an empty database', async () => {
  const DATABASE_URL = await postgresDatabase('empty')
  const dataDir = await scratch()
  const places = ['one', 'two'].map((BOBBIN_NODE) =>
    openPlace({ script: () => says('Hello.'), settings: patient, environment: { DATABASE_URL, BOBBIN_NODE } }),
  )
  const [migrated, lives] = await Promise.all([
    Promise.all(Array.from({ length: 3 }, () => bobbin(dataDir, 'migrate', { DATABASE_URL }))),
    Promise.all(places.map(async (place) => (await place).start())),
  ])
  expect(migrated.map(({ code, err }) => `${code} ${err}`)).toEqual(['0 ', '0 ', '0 '])
  expect(migrated.filter(({ out }) => out.startsWith(made)).length).toBeLessThan(2)
  for (const { chat } of lives) expect((await chat.say('hi')).text).toBe('Hello.')
})

test('several that migrate at once share an empty SQLite file', async () => {
  const dataDir = await scratch()
  const migrated = await Promise.all(Array.from({ length: 4 }, () => bobbin(dataDir, 'migrate')))
  expect(migrated.map(({ code, err }) => `${code} ${err}`)).toEqual(Array.from(migrated, () => '0 '))
})

test('a version that is older than the schema says so in one sentence, and touches nothing', async () => {
  const url = await postgresDatabase()
  const dataDir = await scratch()
  await bobbinHere(dataDir, 'migrate')
  const added = `insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`
  await atServer(url, added)
  changeIn(`${dataDir}/bobbin.db`, added)
  const before = await migrationsIn(url)
  for (const environment of [onSqlite, { DATABASE_URL: url, BOBBIN_NODE: 'one' }]) {
    for (const command of ['start', 'migrate', 'sessions']) {
      const run = command === 'start' ? bobbin : bobbinHere
      const { code, err } = await run(dataDir, command, environment)
      expect(code).toBe(1)
      expect(err.trim()).toBe(
        `The database belongs to a newer version of Bobbin: it has the schema 999-from-tomorrow, and this version knows them up to ${newestSchema}. Start that version, or a newer one; nothing was changed.`,
      )
    }
  }
  expect(await migrationsIn(url)).toEqual(before)
  expect(await atServer(url, 'select name from locks')).toEqual([])
})

test('a wrong password, an unknown database, and a server that is not there are one sentence each', async () => {
  const url = await postgresDatabase('empty')
  const dataDir = await scratch()
  const changed = (change: (url: URL) => void): string => {
    const other = new URL(url)
    // On a busy machine, 10 s may pass before the server refuses anything.
    other.searchParams.set('connect_timeout', '120')
    change(other)
    return other.href
  }
  const wrong = changed(({ searchParams }) => {
    searchParams.set('user', careful.user)
    searchParams.set('password', 'a-wrong-one-77')
  })
  const unknown = changed((other) => {
    other.pathname = '/nowhere'
  })
  const gone = changed(({ searchParams }) => searchParams.set('host', dataDir))
  const sentences: [string, string][] = [
    [wrong, 'PostgreSQL refuses the user or the password in DATABASE_URL. Correct them, or'],
    [unknown, 'The database in DATABASE_URL doesn’t exist. Create it, for example with createdb'],
    [gone, 'The PostgreSQL server can’t be reached. Start it, or correct the address in DATABASE_URL'],
    ['postgres://bobbin@127.0.0.1:1/bobbin', 'The PostgreSQL server can’t be reached.'],
    ['postgres://bobbin@nowhere.invalid/bobbin', 'The PostgreSQL server can’t be reached.'],
  ]
  for (const [DATABASE_URL, sentence] of sentences) {
    for (const command of ['migrate', 'start']) {
      const run = command === 'start' ? bobbin : bobbinHere
      const { code, out, err } = await run(dataDir, command, { DATABASE_URL, BOBBIN_NODE: 'one' })
      expect({ code, out, lines: err.trim().split('\n') }).toEqual({
        ...{ code: 1, out: '' },
        lines: [expect.stringContaining(sentence)],
      })
      expect(err).not.toContain('a-wrong-one-77')
    }
  }
})
