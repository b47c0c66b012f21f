import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { Store } from '../../src/store/store.ts'
import { bobbinHere } from '../commands/support.ts'
import { scratch } from '../support/store.ts'
import { forge, spoil } from './support.ts'

let database: Buffer
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bobbin-backup-'))
  await (await Store.open(join(dataDir, 'bobbin.db'), systemClock)).close()
  database = await readFile(join(dataDir, 'bobbin.db'))
})

afterAll(() => rm(dataDir, { recursive: true }))

/** Tries to restore an archive into an empty directory. */
async function restored(file: string) {
  const empty = await scratch()
  const { code, err } = await bobbinHere(empty, 'restore', file)
  return { code, err, left: await readdir(empty) }
}

const db = () => ({ path: 'data/bobbin.db', content: database })
const text = Buffer.from('text')

test.each([
  ['a path out of it', () => [db(), { path: 'data/../../x', content: text }], 'it has a file at "data/../../x"'],
  ['an absolute path', () => [db(), { path: '/data/x', content: text }], 'it has a file at "/data/x"'],
  ['a file elsewhere', () => [db(), { path: 'other/x', content: text }], 'it has a file at "other/x"'],
  [
    'a symbolic link',
    () => [db(), { path: 'data/x', content: Buffer.alloc(0), type: '2' }],
    '"data/x" isn’t a regular',
  ],
  [
    'a hard link',
    () => [db(), { path: 'data/x', content: Buffer.alloc(0), type: '1' }],
    '"data/x" isn’t a regular file',
  ],
  ['a device', () => [db(), { path: 'data/x', content: Buffer.alloc(0), type: '3' }], '"data/x" isn’t a regular file'],
  ['two files in one place', () => [db(), db()], 'it has two files at "data/bobbin.db"'],
  [
    'a file where a folder is',
    () => [db(), { path: 'data/x', content: text }, { path: 'data/x/y', content: text }],
    'its files contradict each other',
  ],
  [
    'a file that isn’t listed',
    () => [db(), { path: 'data/x', content: text, unlisted: true }],
    '"data/x" isn’t in its',
  ],
  ['no database', () => [{ path: 'data/x', content: text }], 'it has no database'],
])('an archive with %s is refused, and nothing is left of it', async (_, parts, said) => {
  const file = join(await scratch(), 'a.tar.gz')
  await forge(file, parts())
  expect(await restored(file)).toEqual({ code: 1, err: expect.stringContaining(said), left: [] })
})

test.each([
  ['a bomb that says how large it is', { bytes: 1e15 }, 'The backup needs'],
  ['a bomb that lies about it', { bytes: 10 }, 'it has more in it than it says'],
  ['more files than it says', { files: 0 }, 'it has more in it than it says'],
  ['another format', { format: 2 }, 'a newer version of Bobbin made it, or it is damaged'],
])('%s is refused', async (_, about, said) => {
  const file = join(await scratch(), 'a.tar.gz')
  await forge(file, [db()], about)
  expect(await restored(file)).toEqual({ code: 1, err: expect.stringContaining(said), left: [] })
})

test.each([
  ['elsewhere', ['other/x'], 'it has a file at "other/x"'],
  ['out of it', ['data/../../x'], 'it has a file at "data/../../x"'],
  ['where a file is', ['data/bobbin.db'], 'its files contradict each other'],
  ['below a file', ['data/bobbin.db/x'], 'its files contradict each other'],
  ['of which it doesn’t say how many there are', ['data/x', 'data/y'], 'it has more in it than it says'],
])('an archive with a folder %s is refused', async (_, folders, said) => {
  const file = join(await scratch(), 'a.tar.gz')
  await forge(file, [db()], { files: 2 }, folders)
  expect(await restored(file)).toEqual({ code: 1, err: expect.stringContaining(said), left: [] })
})

test('what isn’t an archive, is cut off, or was changed is refused', async () => {
  const folder = await scratch()
  const file = join(folder, 'a.tar.gz')
  const bad = async (content: Buffer | string) => {
    await writeFile(file, content)
    const { code, err, left } = await restored(file)
    expect([code, left]).toEqual([1, []])
    return err
  }
  expect(await bad('hello')).toContain('it isn’t compressed with gzip')
  expect(await bad(gzipSync('hello'.repeat(1_000)))).toContain('it isn’t a tar archive')
  await forge(file, [db()])
  const whole = await readFile(file)
  expect(await bad(whole.subarray(0, whole.length / 2))).toMatch(/damaged|ends in the middle/)
  await writeFile(file, whole)
  await spoil(file, (content) => content.indexOf('SQLite format 3') + 5_000)
  expect((await restored(file)).err).toContain('"data/bobbin.db" is missing or damaged')
  expect((await restored(join(folder, 'none'))).err).toContain('Name an archive of `bobbin backup`.')
})

test('a damaged database is refused though its list is right, and so is one of a newer version', async () => {
  const file = join(await scratch(), 'a.tar.gz')
  const broken = Buffer.from(database)
  broken.fill(0xff, 5_120, 20_480)
  await forge(file, [{ path: 'data/bobbin.db', content: broken }])
  expect(await restored(file)).toMatchObject({ code: 1, err: expect.stringMatching(/damaged.*Use an older/), left: [] })
  const dataDir = await scratch()
  await writeFile(join(dataDir, 'bobbin.db'), broken)
  const made = await bobbinHere(dataDir, 'backup', join(await scratch(), 'b.tar.gz'))
  expect(made).toMatchObject({ code: 1, err: expect.stringMatching(/damaged.*restore bobbin\.db from a backup/) })

  const newer = join(await scratch(), 'bobbin.db')
  await writeFile(newer, database)
  const open = new Sqlite(newer)
  open.pragma('journal_mode = DELETE')
  open.exec(`insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`)
  open.close()
  await forge(file, [{ path: 'data/bobbin.db', content: await readFile(newer) }])
  expect(await restored(file)).toMatchObject({ code: 1, err: expect.stringContaining('a newer version'), left: [] })
})

test('a backup is restored only into an empty directory, and written over nothing', async () => {
  const file = join(await scratch(), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  const again = await bobbinHere(dataDir, 'backup', file)
  expect([again.code, again.err]).toEqual([1, `${file} exists already. Name another file. Nothing was written.\n`])
  const full = await bobbinHere(dataDir, 'restore', file)
  expect([full.code, full.err]).toEqual([1, expect.stringMatching(/isn’t empty: it has bobbin\.db.*empty directory/)])
  const nowhere = await bobbinHere(dataDir, 'backup', join(dataDir, 'no/such/a.tar.gz'))
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('Name a file in a directory that exists')])
  const nothing = await bobbinHere(await scratch(), 'backup', join(await scratch(), 'a.tar.gz'))
  expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('There is no database')])
  const postgres = { DATABASE_URL: 'postgres://nobody@localhost/x', BOBBIN_NODE: 'a' }
  expect((await bobbinHere(dataDir, 'backup', `${file}2`, postgres)).err).toContain('pg_dump')
  expect((await bobbinHere(await scratch(), 'restore', file, postgres)).err).toContain('bobbin move --to')
  expect((await bobbinHere(dataDir, 'backup')).err).toContain('Usage: backup <file.tar.gz>')
})

test('where home and data are one folder, settings are only restored to be compared, and again after that', async () => {
  const home = await scratch()
  await writeFile(join(home, 'bobbin.db'), database)
  await mkdir(join(home, 'config'))
  await writeFile(join(home, 'config/bobbin.yaml'), 'agent:\n  max_steps: 7\n')
  await writeFile(join(home, '.env'), 'BOBBIN_PORT=3100\n')
  const [first, second] = [join(await scratch(), 'a.tar.gz'), join(await scratch(), 'a.tar.gz')]
  expect(await bobbinHere(home, 'backup', first, { BOBBIN_HOME: home })).toMatchObject({ code: 0, err: '' })
  const [there, later] = [await scratch(), await scratch()]
  expect(await bobbinHere(there, 'restore', first, { BOBBIN_HOME: there })).toMatchObject({ code: 0, err: '' })
  expect((await readdir(there)).filter((name) => name === 'config' || name === '.env')).toEqual([])
  expect((await readdir(join(there, 'restored'))).toSorted()).toEqual(['config', 'env'])
  expect(await readFile(join(there, 'restored/config/bobbin.yaml'), 'utf8')).toContain('max_steps: 7')

  expect(await bobbinHere(there, 'backup', second, { BOBBIN_HOME: there })).toMatchObject({ code: 0, err: '' })
  expect(await bobbinHere(later, 'restore', second, { BOBBIN_HOME: later })).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(later, 'restored'))).toEqual(['config'])
})

test('an older archive’s settings that are among its data, and those restored earlier, are left out', async () => {
  const file = join(await scratch(), 'a.tar.gz')
  const others = ['config/bobbin.yaml', 'data/config/bobbin.yaml', 'data/restored/env', 'data/workspace/x']
  await forge(file, [db(), ...others.map((path) => ({ path, content: text }))])
  const { code, left } = await restored(file)
  expect([code, left.filter((name) => !name.startsWith('bobbin.db')).toSorted()]).toEqual([
    0,
    ['restored', 'workspace'],
  ])
})

test('a backup of an older version is updated', async () => {
  const old = join(await scratch(), 'bobbin.db')
  await writeFile(old, database)
  const open = new Sqlite(old)
  open.pragma('journal_mode = DELETE')
  open.exec(`create index answers_by_turn on outbox (turn_id) where kind = 'answer';
    delete from kysely_migration where name in ('038-narrow', '039-accents', '040-by-session', '041-listening', '042-reserved', '043-told', '044-latest');
    drop index told;
    drop index requests_latest;
    drop index usage_reserved;
    alter table usage drop column holder;
    alter table locks drop column url;
    drop index requests_by_turn;
    drop index alarms_by_session`)
  open.close()
  const file = join(await scratch(), 'a.tar.gz')
  await forge(file, [{ path: 'data/bobbin.db', content: await readFile(old) }])
  const empty = await scratch()
  const { code, out } = await bobbinHere(empty, 'restore', file)
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      'updated to this version: 038-narrow, 039-accents, 040-by-session, 041-listening, 042-reserved, 043-told, 044-latest.',
    ),
  ])
})
