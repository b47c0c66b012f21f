import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { verifyAudit } from '../../src/store/audit-chain.ts'
import { Store } from '../../src/store/store.ts'
import { postgresDatabase } from '../support/database.ts'
import { calls, says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { scratch } from '../support/store.ts'
import { contentOf, moveHere, noteIn, sqliteIn, startOnSqlite } from './support.ts'

const change = { path: 'uploads/a.txt', content: 'changed' }

/** The data directory of a bot that was used and stopped. */
async function usedBot() {
  const bot = await startOnSqlite({
    script: [
      says('Hello\u2028 "there" \\u0000 🧶 \\'),
      calls('write_file', change),
      says('Changed.'),
      calls('write_file', change),
      calls('alarm_set', { at: 'in 2 hours', message: 'tea' }),
      says('Set.'),
    ],
  })
  await bot.chat.say('hi')
  const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
  const [request] = await bot.chat.requests()
  await bot.chat.answer(request?.id ?? '', { decision: 'approve', user_id: 'ana' })
  await bot.chat.untilType(conversation, 'complete')
  await bot.chat.say('again', { files: { 'a.txt': 'old' } })
  await bot.chat.say('wake me')
  await bot.stop()
  return bot
}

test('everything arrives, and comes back the same', async () => {
  const { dataDir } = await usedBot()
  const [file, url] = [sqliteIn(dataDir), await postgresDatabase('empty')]
  const before = contentOf(file)
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(12)
  expect(before.requests).toHaveLength(2)

  const there = await moveHere(file, url)
  expect(contentOf(url)).toEqual(before)
  expect(there.copied).toMatchObject({ rows: { sessions: 4, requests: 2 }, changed: 0, audit: { ok: true } })
  expect(noteIn(file)).toContain('"left"')
  expect(noteIn(url)).toBeUndefined()

  const back = await moveHere(url, file)
  expect((await readdir(dataDir)).filter((name) => name.endsWith('-wal'))).toEqual([])
  expect(contentOf(file)).toEqual(before)
  expect(back.copied).toEqual(there.copied)
  expect(noteIn(file)).toBeUndefined()
  expect(back.putAway).toMatch(/bobbin\.db\.moved-/)
  expect(contentOf(back.putAway ?? '')).toEqual(before)
})

const odd = (types: { blob: string; real: string; numbered: string }) => [
  `create table odd_ones (id ${types.numbered}, big bigint_ not null, bytes ${types.blob}, part ${types.real}, said text not null,
    earlier bigint_ references odd_ones(id))`,
]

test('large numbers, bytes, fractions, NULs and rows that refer to later ones arrive; new rows go on after them', async () => {
  const [file, url] = [join(await scratch(), 'bobbin.db'), await postgresDatabase()]
  const [back] = [join(await scratch(), 'bobbin.db')]
  const made = (types: Parameters<typeof odd>[0], whole: string) =>
    odd(types).map((statement) => statement.replaceAll('bigint_', whole))
  const sqlite = made({ blob: 'blob', real: 'real', numbered: 'integer primary key autoincrement' }, 'integer')
  for (const place of [file, back]) {
    await (await Store.open(place, systemClock)).close()
    changeIn(place, ...sqlite)
  }
  const numbered = 'bigint generated always as identity primary key'
  changeIn(url, ...made({ blob: 'bytea', real: 'double precision', numbered }, 'bigint'))
  changeIn(
    file,
    `pragma foreign_keys = off`,
    `insert into odd_ones values (7, 9223372036854775807, x'00ff10', 0.1, 'a' || char(0) || 'b\\', 8)`,
    `insert into odd_ones values (8, -9007199254740993, null, -1e300, '{"x":"\\u0000, \\\\N, NULL"}', 7)`,
  )
  const there = await moveHere(file, url)
  expect(there.copied).toMatchObject({ changed: 1, rows: { odd_ones: 2 } })
  const select = (hex: string) =>
    `select id, cast(big as text) as big, ${hex} as bytes, part, said, earlier from odd_ones order by id`
  const rows = [
    { id: 7, big: '9223372036854775807', bytes: '00ff10', part: 0.1, said: 'a\ufffdb\\', earlier: 8 },
    {
      id: 8,
      big: '-9007199254740993',
      bytes: null,
      part: -1e300,
      said: '{"x":"\\u0000, \\\\N, NULL"}',
      earlier: 7,
    },
  ]
  expect(rowsIn(url, select("encode(bytes, 'hex')"))).toEqual(rows)
  changeIn(url, `insert into odd_ones (big, said) values (1, 'new')`)
  expect(rowsIn(url, 'select max(id) as id from odd_ones')).toEqual([{ id: 9 }])

  await moveHere(url, back)
  expect(rowsIn(back, select('lower(hex(bytes))')).slice(0, 2)).toEqual(
    rows.map((row) => (row.bytes === null ? { ...row, bytes: '' } : row)),
  )
  changeIn(back, `insert into odd_ones (big, said) values (1, 'newer')`)
  expect(rowsIn(back, 'select max(id) as id from odd_ones')).toEqual([{ id: 10 }])
})

test('paths that PostgreSQL can’t index arrive shortened, are counted, and come back as they are there', async () => {
  const { dataDir } = await usedBot()
  const [file, url] = [sqliteIn(dataDir), await postgresDatabase('empty')]
  const deep = `outputs/${randomBytes(2_000).toString('hex')}`
  const long = [`${deep}/a.txt`, `${deep}/b.txt`]
  const fits = `outputs/${randomBytes(1_150).toString('hex')}`
  for (const [at, path] of [...long, fits].entries())
    changeIn(
      file,
      `insert into changes select session_id, turn_id, '${path}', ${1_000 + at}, change, size, modified_at, at from changes
        where rowid = (select min(rowid) from changes)`,
      `insert into files (session_id, path, direction, name, type, size, state, created_at)
        select session_id, '${path}', 'out', 'a.txt', 'text/plain', 1, 'stored', 1 from changes limit 1`,
    )
  expect((await moveHere(file, url)).copied.changed).toBe(4)
  for (const table of ['changes', 'files']) {
    const paths = rowsIn<{ path: string }>(url, `select path from ${table} where length(path) > 2000`)
    expect(new Set(paths.map(({ path }) => path)).size).toBe(3)
    expect(paths).toContainEqual({ path: fits })
    expect(paths.filter(({ path }) => path.startsWith(deep.slice(0, 2_200)))).toHaveLength(2)
  }
  const there = contentOf(url)
  await moveHere(url, file)
  expect(contentOf(file)).toEqual(there)
})

test('the references, the audit log and the order of its rows are as strict afterwards as before', async () => {
  const { dataDir } = await usedBot()
  const url = await postgresDatabase()
  const constraints = `select conname, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`
  const before = rowsIn(url, constraints)
  await moveHere(sqliteIn(dataDir), url)
  expect(rowsIn(url, constraints)).toEqual(before)
  expect(() => changeIn(url, "update audit set data = '{}'")).toThrow('the audit log only grows')
  const store = await Store.open(url, systemClock)
  try {
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true })
  } finally {
    await store.close()
  }
})
