import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { damaged, passwordNeeded, passwordWrong, tooComplex } from '../../../src/kit/documents/parse.ts'
import { textOf } from '../../support/document-text.ts'
import { pages, scratch, testLibrary } from './library.ts'

const day = 86_400_000
const signal = new AbortController().signal

test('reads a document once, for whoever asks, and hands out its parts one by one', async () => {
  const { room, pool, library } = await testLibrary(await scratch())
  const [one, two] = [await room('ses_one'), await room('ses_two')]
  const document = { ...pages('First page', '😀'.repeat(9000)), notes: ['It is a scan.'] }
  const path = await one.put('a.pdf', document)
  await two.put('other.pdf', document)
  const [opened] = await Promise.all([one.open(path, { signal }), one.open(path, { signal }), two.find('first')])
  expect(pool.parsed).toBe(1)
  expect(library.size).toBe(1)
  expect(opened).toMatchObject({ kind: 'pdf', notes: ['It is a scan.'] })
  expect(opened.parts[1]).toEqual({ unit: 'page', number: 2, characters: 18_000, hasFormulas: false })
  expect(await textOf(opened, 1)).toBe('😀'.repeat(9000))
  expect(opened.formulas(0)).toBe('')
})

test('a long part is handed out some lines at a time, each of them whole', async () => {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const lines = Array.from({ length: 30_000 }, (_, number) => `| ${number} | ${'x'.repeat(number % 40)} |`)
  const opened = await one.open(await one.put('a.pdf', pages([...lines, ''].join('\n'))), { signal })
  const lots = await Array.fromAsync(opened.lines(0))
  expect(lots.flat()).toEqual([...lines, ''])
  expect(Math.max(...lots.map((lot) => lot.length))).toBeLessThan(lines.length / 2)
})

test('keeps formulas, and finds nothing in them', async () => {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.xlsx', {
    kind: 'xlsx',
    notes: [],
    parts: [
      { unit: 'sheet', number: 1, name: 'S', text: '|  | A |\n| --- | --- |\n| 1 | 7 |', formulas: 'A1: =SUM(B1:B2)' },
    ],
  })
  const opened = await one.open(path, { signal })
  expect(opened.parts[0]).toMatchObject({ hasFormulas: true, name: 'S' })
  expect(opened.formulas(0)).toBe('A1: =SUM(B1:B2)')
})

test('a session finds nothing of another, and is not ranked by it', async () => {
  const alone = await testLibrary(await scratch())
  const shared = await testLibrary(await scratch())
  const other = await shared.room('ses_other')
  for (let index = 0; index < 20; index++) {
    const name = `secret${index}.pdf`
    await other.put(name, pages(...Array.from({ length: 10 }, (_, page) => `Zebra deposit secret ${index} ${page}`)))
  }
  await other.find('zebra')
  const texts = [
    'The deposit is due.',
    'A zebra and a deposit.',
    'A zebra eats. A zebra sleeps.',
    'The deposit, the deposit.',
  ]
  const found = []
  for (const { room } of [alone, shared]) {
    const mine = await room('ses_mine')
    await mine.put('a.pdf', pages(...texts))
    found.push([await mine.find('zebra deposit'), await mine.find('secret'), await mine.find('secert')])
  }
  expect(found[0]).toEqual(found[1])
  expect(found[1]?.[0]?.matches).toHaveLength(4)
  expect(found[1]?.[1]?.matches).toEqual([])
})

test('only the named files are searched, and the same content under two names is shown once', async () => {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.pdf', pages('A zebra'))
  await one.put('b.pdf', pages('Another zebra'))
  await one.put('c.pdf', pages('A zebra'))
  expect((await one.find('zebra', { paths: [path] })).matches.map(({ path }) => path)).toEqual([path])
  expect((await one.find('zebra')).matches).toHaveLength(2)
  expect(await one.find('zebra', { paths: ['uploads/none.pdf', path] })).toMatchObject({
    matches: [{ path }],
    failures: [{ path: 'uploads/none.pdf', reason: expect.stringContaining('not there') }],
  })
})

test('what belongs to others is stepped over between two documents', async () => {
  const { room } = await testLibrary(await scratch())
  const [mine, other] = [await room('ses_mine'), await room('ses_other')]
  for (let index = 0; index < 12; index++) {
    await mine.put(`a${index}.pdf`, pages(`My zebra ${index}`))
    await mine.find('zebra')
    await other.put(
      `b${index}.pdf`,
      pages(...Array.from({ length: 1 + index ** 2 * 3 }, (_, page) => `Zebra ${index} ${page}`)),
    )
    await other.find('zebra')
  }
  const { matches } = await mine.find('zebra', { maxResults: 50 })
  expect(new Set(matches.map(({ passage }) => passage)).size).toBe(12)
  expect(matches.every(({ passage }) => passage.startsWith('My **zebra**'))).toBe(true)
})

test('a file that is replaced under its name replaces what was kept', async () => {
  const { room, library } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.pdf', pages('The old zebra'))
  const opened = await one.open(path, { signal })
  await one.put('a.pdf', pages('The new giraffe of the house'))
  expect((await one.find('zebra')).matches).toEqual([])
  expect((await one.find('giraffe')).matches).toHaveLength(1)
  await library.settled()
  expect(library.size).toBe(1)
  await expect(textOf(opened)).rejects.toMatchObject({ code: 'changed' })
  await rm(join(one.workspace.root, path))
  expect((await one.find('giraffe')).matches).toEqual([])
  await library.settled()
  expect(library.size).toBe(0)
})

test('a file with the same size and time is not read again for 24 hours, and then it is', async () => {
  const { room, clock } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.pdf', pages('The old zebra'))
  const file = join(one.workspace.root, path)
  const long = new Date(Date.now() - 60_000)
  await utimes(file, long, long)
  await one.find('zebra')
  await one.put('a.pdf', pages('The new camel'))
  await utimes(file, long, long)
  clock.at += day - 1
  expect((await one.find('zebra')).matches).toHaveLength(1)
  clock.at += 1
  expect((await one.find('zebra')).matches).toEqual([])
  expect((await one.find('camel')).matches).toHaveLength(1)
})

test('what nobody asked for in 30 days is removed, and what a removed workspace alone had at once', async () => {
  const { room, library, clock, pool } = await testLibrary(await scratch())
  const [one, two] = [await room('ses_one'), await room('ses_two')]
  await one.put('a.pdf', pages('A zebra'))
  const kept = await one.put('b.pdf', pages('A camel'))
  await two.put('b.pdf', pages('A camel'))
  await one.find('zebra')
  await two.find('camel')
  clock.at += 29 * day
  await one.open(kept, { signal })
  clock.at += 2 * day
  library.clean()
  await library.settled()
  expect(library.size).toBe(1)
  expect(pool.parsed).toBe(2)
  await one.find('zebra')
  library.forget('ses_one')
  await library.settled()
  expect(library.size).toBe(1)
  library.forget('ses_two')
  await library.settled()
  expect(library.size).toBe(0)
})

test('cleaning forgets what another process has removed', async () => {
  const removed = new Map<string, number>()
  const { library, room } = await testLibrary(await scratch(), {
    removedAt: async (session) => removed.get(session),
  })
  const [one, two] = [await room('ses_one'), await room('ses_two')]
  await one.put('a.pdf', pages('A zebra'))
  await two.put('b.pdf', pages('A camel'))
  await one.find('zebra')
  await two.find('camel')
  // What came later stays.
  removed.set('ses_one', Date.now() - day)
  removed.set('ses_two', Number.MAX_SAFE_INTEGER)
  await library.clean()
  expect(library.size).toBe(1)
  removed.set('ses_one', Date.now() + day)
  await library.clean()
  expect(library.size).toBe(0)
})

test('failures are kept, but not those of a password or a busy machine', async () => {
  const { room, pool, clock } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.pdf', pages('A zebra behind a door'))
  const fail = (error: Error) => {
    pool.before = () => Promise.reject(error)
  }
  fail(passwordNeeded())
  await expect(one.open(path, { signal })).rejects.toMatchObject({ code: 'password_needed' })
  fail(passwordWrong())
  await expect(one.open(path, { signal, password: 'no' })).rejects.toMatchObject({ code: 'password_wrong' })
  pool.before = async ({ password }) => {
    if (password !== 'yes') throw passwordNeeded()
  }
  expect(await textOf(await one.open(path, { signal, password: 'yes' }))).toContain('zebra')
  expect(await one.find('zebra')).toMatchObject({
    matches: [],
    failures: [{ reason: expect.stringMatching(/password/) }],
  })

  const other = await one.put('b.pdf', pages('Another'))
  fail(damaged('its end is missing'))
  await expect(one.open(other, { signal })).rejects.toMatchObject({ code: 'damaged' })
  const parsed = pool.parsed
  await expect(one.open(other, { signal })).rejects.toMatchObject({ code: 'damaged' })
  expect(pool.parsed).toBe(parsed)

  const busy = await one.put('c.pdf', pages('A third'))
  fail(tooComplex('reading it took more than 30 s'))
  await expect(one.open(busy, { signal })).rejects.toMatchObject({ code: 'too_complex' })
  pool.before = async () => {}
  await expect(one.open(busy, { signal })).rejects.toMatchObject({ code: 'too_complex' })
  clock.at += day
  expect(await textOf(await one.open(busy, { signal }))).toBe('A third')
})

test('one who stops waiting does not take the document from another', async () => {
  const { room, pool } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.pdf', pages('A zebra'))
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  pool.before = () => {
    reached.resolve()
    return gate.promise
  }
  const stays = one.open(path, { signal })
  await reached.promise
  const leaving = new AbortController()
  const gone = one.open(path, { signal: leaving.signal })
  leaving.abort(new Error('stopped'))
  await expect(gone).rejects.toThrow('stopped')
  gate.resolve()
  expect(await textOf(await stays)).toBe('A zebra')
  expect(pool.parsed).toBe(1)
})

// The first pages say what is in the file; what is damaged further behind is met in the middle of work.
test.each([1, 20])('an index that is damaged from page %i on is rebuilt', async (page) => {
  const directory = await scratch()
  const file = join(directory, 'index.db')
  const first = await testLibrary(directory)
  const one = await first.room('ses_one')
  await one.put('a.pdf', pages(...Array.from({ length: 300 }, (_, index) => `Page ${index} has a zebra on it`)))
  expect((await one.find('zebra')).matches).toHaveLength(5)
  new Sqlite(file).pragma('wal_checkpoint(TRUNCATE)')
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  for (let at = page * 4096; at < size; at += 4096) await handle.write(Buffer.alloc(4096, 0xa5), 0, 4096, at)
  await handle.close()

  const second = await testLibrary(directory)
  const again = await second.room('ses_one')
  const found = await again.find('zebra', { paths: ['uploads/a.pdf'] })
  expect(found.matches).toHaveLength(5)
  expect(found.failures).toEqual([])
  expect(second.pool.parsed).toBe(1)
  expect(second.reports).not.toEqual([])
})

test('what is no index, or one of another version, is made anew', async () => {
  const directory = await scratch()
  const file = join(directory, 'index.db')
  await writeFile(file, 'this is no database '.repeat(500))
  const first = await testLibrary(directory)
  const one = await first.room('ses_one')
  await one.put('a.pdf', pages('A zebra'))
  expect((await one.find('zebra')).matches).toHaveLength(1)
  expect(first.reports).toHaveLength(1)
  new Sqlite(file).pragma('user_version = 77')
  expect((await testLibrary(directory)).library.size).toBe(0)
})

test('a process that is killed in the middle of an insert leaves no half entry', async () => {
  const directory = await scratch()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'insert.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const file = join(directory, 'index.db')
  expect(existsSync(file)).toBe(true)
  const left = new Sqlite(file)
  expect(left.prepare('SELECT state FROM documents').pluck().all()).toEqual(['making'])
  expect(left.prepare('SELECT count(*) FROM chunks').pluck().get()).toBeGreaterThan(0)
  left.close()
  const { room, library, pool } = await testLibrary(directory)
  expect(library.size).toBe(0)
  const one = await room('ses_one')
  const { matches } = await one.find('zebra', { paths: ['uploads/a.pdf'] })
  expect(matches).toHaveLength(1)
  expect(pool.parsed).toBe(1)
  await library.settled()
  await pause(0)
  const rest = new Sqlite(file)
  expect(rest.prepare('SELECT count(*) FROM documents').pluck().get()).toBe(1)
  expect(rest.prepare('SELECT count(*) FROM chunks').pluck().get()).toBe(
    rest.prepare('SELECT last_chunk - first_chunk + 1 FROM documents').pluck().get(),
  )
  rest.close()
})

test('each document is read in the turn of the thread that asked for it', async () => {
  const { room, pool } = await testLibrary(await scratch())
  for (const session of ['ses_one', 'ses_two'] as const) {
    const one = await room(session)
    await one.open(await one.put('a.pdf', pages(`A zebra of ${session}`)), { signal })
  }
  expect(pool.owners).toEqual(['ses_one', 'ses_two'])
})

test('among many files, those that haven’t changed are known, and one that has is read again', async () => {
  const { pool, library, room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  for (const name of ['a', 'b', 'c', 'd', 'e']) await one.put(`${name}.pdf`, pages(`The ${name} zebra.`))
  expect((await one.find('zebra')).matches).toHaveLength(5)
  const old = new Date(Date.now() - 60_000)
  const files = async () => one.workspace.list('uploads')
  for (const { path } of await files()) await utimes(join(one.workspace.root, path), old, old)
  await one.find('zebra')
  const documents = library.of('ses_one', one.workspace)
  const known = async () => [...((await documents.kindsOf?.(await files())) ?? new Map()).keys()]
  expect(await known()).toHaveLength(5)
  await one.put('c.pdf', pages('A giraffe.'))
  expect(await known()).not.toContain('uploads/c.pdf')
  expect((await one.find('zebra')).matches).toHaveLength(4)
  expect((await one.find('giraffe')).matches).toMatchObject([{ path: 'uploads/c.pdf' }])
  expect(pool.parsed).toBe(6)
})
