import { expect, onTestFinished, test } from 'vitest'
import type { Batch } from '../../../src/kit/documents/chunks/batches.ts'
import { ParserPool } from '../../../src/kit/documents/pool.ts'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import { lorem, paragraph } from './compose.ts'
import { makePdf } from './make.ts'
import { limits } from './parse.ts'

test('PDF files are read in a worker, one after the other', async () => {
  const heapBytes = 512 * 1024 * 1024
  const pool = new ParserPool({
    containment: openContainment(),
    workers: 1,
    timeoutMs: 300_000,
    heapBytes,
    bufferBytes: 2 * heapBytes,
    idleMs: 1_000,
    limits,
  })
  onTestFinished(() => pool.stop())
  const signal = new AbortController().signal
  const plain = makePdf({ pages: [{ texts: paragraph(lorem, { x: 50, y: 100, width: 480 }) }] })
  const shut = makePdf({ pages: [{ texts: [] }], protection: { method: 'rc4', user: 'open', owner: 'boss' } })
  const asian = makePdf({ pages: [{ texts: [{ x: 50, y: 100, text: '本协议由甲乙双方签订', font: 'gb' }] }] })
  expect((await pool.parse({ name: 'a.pdf', bytes: plain }, signal)).document.parts[0]?.text).toBe(lorem)
  await expect(pool.parse({ name: 'b.pdf', bytes: shut }, signal)).rejects.toMatchObject({ code: 'password_needed' })
  expect((await pool.parse({ name: 'c.pdf', bytes: asian }, signal)).document.parts[0]?.text).toBe(
    '本协议由甲乙双方签订',
  )
  expect(pool.size).toBe(1)

  const pages = Array.from({ length: 120 }, (_, page) => ({ texts: [{ x: 50, y: 100, text: `Page ${page + 1}` }] }))
  const taken: Batch[] = []
  const into = { begin: async () => {}, take: async (portion: Batch) => void taken.push(portion) }
  await pool.read({ name: 'd.pdf', bytes: makePdf({ pages }) }, signal, { into })
  expect(taken.map(({ parts, head, isLast }) => [parts.length, head?.expected, isLast])).toEqual([
    [50, 120, false],
    [50, 120, false],
    [20, undefined, true],
  ])
  expect(taken[1]?.texts[0]).toEqual({ part: 50, field: 'text', text: 'Page 51' })
  const late = await pool.parse({ name: 'd.pdf', bytes: makePdf({ pages }) }, signal)
  expect(late.document.parts.map(({ text }) => text)).toEqual(pages.map((_, page) => `Page ${page + 1}`))
})
