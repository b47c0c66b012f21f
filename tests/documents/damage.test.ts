import { afterAll, describe, expect, test } from 'vitest'
import { isCut } from '../../src/kit/documents/parse.ts'
import { parsePdf } from '../../src/kit/documents/parsers/pdf.ts'
import { ParserPool } from '../../src/kit/documents/pool.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import { damaged } from './damage/damaged.ts'
import { cheap } from './damage/hostile.ts'
import { odd } from './damage/odd.ts'
import { outcomeOf, readsOn } from './damage/outcome.ts'
import { samples } from './damage/samples.ts'
import { makePdf } from './pdf/make.ts'

// The short form of damage/campaign.ts.

const limits = { textCharacters: 1_000_000, parts: 1000, unpackedBytes: 50_000_000, archiveEntries: 5000 }
const options = {
  containment: openContainment(),
  workers: 2,
  timeoutMs: 300_000,
  heapBytes: 512e6,
  bufferBytes: 512e6,
  idleMs: 30_000,
  limits,
}
const pool = new ParserPool(options)

afterAll(async () => {
  await pool.stop()
  expect(pool.size).toBe(0)
})

test.each(odd.map(([says, make]) => ({ says, make })))('an odd file says $says', async ({ says, make }) => {
  const { document } = await pool.parse(await make(), new AbortController().signal).catch((thrown: Error) => ({
    document: { notes: [thrown.message], parts: [] },
  }))
  expect([...document.parts.map(({ text }) => text), ...document.notes].join('\n')).toMatch(says)
})

test('hostile files end in text or a clear error, and the next file is read', async () => {
  for (const make of cheap) {
    const file = await make()
    expect([file.name, (await outcomeOf(pool, file)).is]).not.toContain('fault')
    expect([file.name, await readsOn(pool)]).toEqual([file.name, true])
  }
  expect(pool.size).toBeLessThanOrEqual(options.workers)
})

test('a PDF that takes too long is read as far as there is time', async () => {
  const bytes = makePdf({ pages: Array.from({ length: 300 }, () => ({ texts: [] })) })
  const { notes, parts } = await parsePdf({ name: 'long.pdf', bytes }, { ...limits, parseMs: 1 })
  expect(parts.length).toBeLessThan(300)
  expect(notes.join()).toContain(`only the first ${parts.length} of 300 pages were read`)
  expect(isCut(notes)).toBe(true)
})

describe('a damaged file ends in text or a clear error', async () => {
  test.each(await samples())('$name', async (sample) => {
    for (const file of damaged(sample, 4, 7)) {
      expect([file.name, await outcomeOf(pool, file)]).not.toMatchObject([file.name, { is: 'fault' }])
    }
    expect(await readsOn(pool)).toBe(true)
  })
})
