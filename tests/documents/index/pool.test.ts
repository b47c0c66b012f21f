import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { batchesOf, Gathering, Whole } from '../../../src/kit/documents/chunks/batches.ts'
import { parsedOf } from '../../../src/kit/documents/chunks/parsed.ts'
import type { ParserPool } from '../../../src/kit/documents/pool.ts'
import { oneReader } from '../../support/readers.ts'
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
