import { expect, test } from 'vitest'
import { Chunker } from '../../../src/kit/documents/chunks/chunks.ts'
import type { OpenDocument } from '../../../src/kit/documents/document.ts'
import { damaged } from '../../../src/kit/documents/parse.ts'
import { pages, scratch, sheet, testLibrary } from './library.ts'

const signal = new AbortController().signal

/** A document whose second page comes when the test says so. */
async function slowly(...texts: string[]) {
  const library = await testLibrary(await scratch(), { patienceMs: 0 })
  const room = await library.room('ses_one')
  const gates = texts.map(() => Promise.withResolvers<void>())
  const came = texts.map(() => Promise.withResolvers<void>())
  library.pool.between = async (page) => {
    came[page]?.resolve()
    await gates[page]?.promise
  }
  const path = await room.put('a.pdf', pages(...texts))
  return {
    ...library,
    room,
    path,
    came: (page: number) => came[page]?.promise,
    open: (page: number) => gates[page]?.resolve(),
  }
}

test('the first pages can be found while the rest is being read, and the answer says so', async () => {
  const { room, path, came, open, library } = await slowly('A zebra.', 'A giraffe.', 'A zebra and a giraffe.')
  const first = await room.find('zebra')
  expect(first.matches.map(({ number }) => number)).toEqual([1])
  expect(first.reading).toEqual([{ path, unit: 'page', done: 1, expected: 3 }])
  expect(library.size).toBe(0)
  await came(1)
  open(1)
  await came(2)
  open(2)
  const opened = await room.open(path, { signal })
  expect(opened.parts).toHaveLength(3)
  const whole = await room.find('zebra')
  expect(whole.matches.map(({ number }) => number).toSorted()).toEqual([1, 3])
  expect(whole.reading).toBeUndefined()
})

test('what isn’t in the first pages is waited for', async () => {
  const { room, came, open } = await slowly('A zebra.', 'A giraffe.', 'The end.')
  const finding = room.find('giraffe')
  await came(1)
  open(1)
  const found = await finding
  expect(found.matches.map(({ number }) => number)).toEqual([2])
  expect(found.reading).toMatchObject([{ done: 2 }])
  open(2)
})

test('what comes to its end while its beginning is being searched is searched once more', async () => {
  const library = await testLibrary(await scratch(), { patienceMs: 0 })
  const room = await library.room('ses_one')
  library.pool.between = async () => {}
  // Searching it takes longer than reading on.
  await room.put('a.pdf', pages('A zebra. '.repeat(200_000), 'A giraffe.'))
  const found = await room.find('gira[f]+e', { isPattern: true })
  expect(found.matches.map(({ number }) => number)).toEqual([2])
  expect(found.reading).toBeUndefined()
})

test('whoever has another way to search a document doesn’t wait for it', async () => {
  const { room, path, open } = await slowly('A zebra.', 'A giraffe.')
  const found = await room.find('giraffe', { notAwaited: new Set([path]) })
  expect(found).toMatchObject({ matches: [], reading: [{ path }] })
  open(1)
})

test('a document that can’t be read to its end leaves nothing of its beginning', async () => {
  const { room, pool, path, library, file } = await slowly('A zebra.', 'A giraffe.')
  pool.between = async () => {
    throw damaged('its end is missing')
  }
  const found = await room.find('zebra')
  expect(found).toMatchObject({ matches: [], failures: [{ path }] })
  expect(found.reading).toBeUndefined()
  library.close()
  const { default: Sqlite } = await import('better-sqlite3')
  const left = new Sqlite(file, { readonly: true })
  for (const table of ['chunks', 'parts', 'texts', 'vocabulary'])
    expect(left.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  left.close()
})

test('what an answer said is still being read is read, even if that turn is stopped', async () => {
  const { room, path, came, open } = await slowly('A zebra.', 'A giraffe.')
  const stop = new AbortController()
  await room.find('zebra', { signal: stop.signal })
  stop.abort()
  await came(1)
  open(1)
  expect((await room.open(path, { signal })).parts).toHaveLength(2)
})

test('pages that are there can be opened while the rest is being read, if they are enough', async () => {
  const { room, path, came, open } = await slowly('A zebra.', 'A giraffe.', 'The end.')
  const wants = (pages: number) =>
    room.open(path, { signal, enough: ({ parts }: OpenDocument) => parts.length >= pages })
  const first = await wants(1)
  expect(first).toMatchObject({ reading: { expected: 3 }, parts: [{ number: 1, characters: 8 }] })
  expect((await Array.fromAsync(first.lines(0))).flat()).toEqual(['A zebra.'])
  const two = wants(2)
  await came(1)
  open(1)
  expect((await two).parts).toHaveLength(2)
  const all = wants(4)
  await came(2)
  open(2)
  const whole = await all
  expect(whole.parts).toHaveLength(3)
  expect(whole.reading).toBeUndefined()
})

test('a sheet that comes in pieces has the chunks of the whole, with its first row', () => {
  const rows = Array.from({ length: 60 }, (_, index) => [`Item ${index}`, `${index * 7}`])
  const [whole] = sheet([['Name', 'Price'], ...rows]).parts
  if (whole === undefined) throw new Error('no sheet')
  const lines = whole.text.split('\n')
  const chunker = new Chunker()
  const [begin, end] = [lines.slice(0, 30).join('\n'), `\n${lines.slice(30).join('\n')}`]
  const chunks = [
    ...chunker.add([{ ...whole, text: begin }]),
    ...chunker.add([{ ...whole, text: end, continues: true }]),
  ]
  const last = chunks.at(-1)
  expect(whole.text.slice(last?.start, last?.end)).toMatch(/^\| \d+ \| Item .*\| 61 \| Item 59 \| 413 \|$/s)
  expect(last?.words).toContain('price')
  expect(chunks.every(({ part }) => part === 0)).toBe(true)
})
