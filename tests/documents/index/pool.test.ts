import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { batchesOf, Gathering, Whole } from '../../../src/kit/documents/chunks/batches.ts'
import { parsedOf } from '../../../src/kit/documents/chunks/parsed.ts'
import type { ParserPool } from '../../../src/kit/documents/pool.ts'
import { oneReader } from '../../support/readers.ts'
import { byHand } from '../xlsx/make.ts'
import { pages, scratch, testLibrary } from './library.ts'

function realPool(): ParserPool {
  const pool = oneReader({
    heapBytes: 512 * 1024 * 1024,
    limits: { textCharacters: 16_000_000, parts: 10_000, unpackedBytes: 268_435_456, archiveEntries: 20_000 },
  })
  onTestFinished(() => pool.stop())
  return pool
}

test('a document arrives in batches, and is whole again', async () => {
  const text = 'The tenant 😀 shall keep the house. '.repeat(40_000)
  const parsed = parsedOf({ kind: 'pdf', notes: ['a', 'b'], parts: [...pages('', text, 'end').parts] })
  parsed.document.parts.push({ unit: 'sheet', number: 1, name: 'S', text: 'x', formulas: 'A1: =1' })
  const gathering = new Gathering({ parts: 10, characters: 20_000_000 })
  const whole = new Whole()
  const batches = [...batchesOf(parsed)]
  for (const batch of batches) {
    const portion = gathering.add(structuredClone(batch))
    if (portion !== undefined) await whole.take(portion)
  }
  expect(whole.parsed).toEqual(parsed)
  expect(batches.length).toBeGreaterThan(5)
  expect(batches.map(({ isLast }) => isLast).indexOf(true)).toBe(batches.length - 1)
})

test('a real file goes through a worker into the index', async () => {
  const pool = realPool()
  const { room } = await testLibrary(await scratch(), { pool })
  const one = await room('ses_one')
  const rows = Array.from(
    { length: 20_000 },
    (_, index) => `Item ${index},${index * 3},${index === 17_001 ? 'zebra' : 'plain'}`,
  )
  await one.workspace.write('uploads/a.csv', ['Name,Price,Note', ...rows].join('\n'))
  await one.workspace.write('uploads/b.pdf', '%PDF-1.7 and nothing else')
  const { matches, failures } = await one.find('zebra', { paths: ['uploads/a.csv', 'uploads/b.pdf'] })
  expect(matches).toHaveLength(1)
  expect(matches[0]).toMatchObject({ path: 'uploads/a.csv', kind: 'csv', cells: 'C17003' })
  expect(failures.map(({ path }) => path)).toEqual(['uploads/b.pdf'])
})

test('what says that the rest was left out is kept, however much is noted before it', async () => {
  const merged = Array.from({ length: 19 }, (_, row) => `<mergeCell ref="A${row + 1}:B${row + 1}"/>`).join('')
  const xml = `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells>${merged}</mergeCells></worksheet>`
  const sheets = Array.from({ length: 210 }, (_, day) => ({ name: `Day ${day + 1}`, xml }))
  const pool = oneReader({
    limits: { textCharacters: 16_000_000, parts: 200, unpackedBytes: 268_435_456, archiveEntries: 20_000 },
  })
  onTestFinished(() => pool.stop())
  const bytes = await byHand({ sheets })
  const { notes } = (await pool.parse({ name: 'a.xlsx', bytes }, new AbortController().signal)).document
  expect(notes[0]).toContain('Sheet "Day 1" has 1 row')
  expect(notes.at(-1)).toBe('It is too large to read completely: the rest was left out.')
  expect(notes.join('').length).toBe(20_000)
})

test('a file is fetched when its turn has come', async () => {
  const pool = realPool()
  const { signal } = new AbortController()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const fetched: string[] = []
  const read = (name: string) =>
    pool.parse(async () => {
      fetched.push(name)
      await gate
      return { name, bytes: Buffer.from('a,b\n1,2\n') }
    }, signal)
  const reading = [read('a.csv'), read('b.csv')]
  await setImmediate()
  expect(fetched).toEqual(['a.csv'])
  open()
  await Promise.all(reading)
  expect(fetched).toEqual(['a.csv', 'b.csv'])
})
