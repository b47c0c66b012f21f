import { expect, onTestFinished, test } from 'vitest'
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
    timeoutMs: 50_000,
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
})
