import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCut } from '../../../src/kit/documents/parse.ts'
import { Failure } from '../../../src/kit/failure.ts'
import { lorem, paragraph } from './compose.ts'
import { makePdf } from './make.ts'
import { parse, parsed } from './parse.ts'

const three = makePdf({
  pages: [1, 2, 3].map((number) => ({ texts: paragraph(`${number}. ${lorem}`, { x: 50, y: 50, width: 490 }) })),
})
const changed = (change: (text: string) => string): Uint8Array =>
  new Uint8Array(Buffer.from(change(Buffer.from(three).toString('latin1')), 'latin1'))
const texts = [1, 2, 3].map((number) => `${number}. ${lorem}`)

test.each([
  ['nothing', new Uint8Array()],
  ['a first line only', Buffer.from('%PDF-1.7\n')],
  ['no PDF', Buffer.from(`%PDF-1.7\n${'x'.repeat(10_000)}`)],
])('%s is damaged', async (_, bytes) => {
  await expect(parse(new Uint8Array(bytes))).rejects.toMatchObject({ code: 'damaged' })
})

test('a broken table of objects is made anew', async () => {
  for (const change of [
    (text: string) => text.replace('xref\n0', 'xrxx\n9').replace(/startxref\n\d+/, 'startxref\n12'),
    (text: string) => `some junk before it\n${text}`,
    (text: string) => text.replace('/Count 3', '/Count 900000000'),
    (text: string) => text.replace(/\/Length \d+/g, '/Length 1'),
  ]) {
    expect((await parse(changed(change))).parts.map((part) => part.text)).toEqual(texts)
  }
})

test('what is there of a file without its end is read, and a note says so', async () => {
  const { parts, notes } = await parse(three.subarray(0, three.length - 1500))
  expect(parts.slice(0, 2).map((part) => part.text)).toEqual(texts.slice(0, 2))
  expect(notes.at(-1)).toContain('The end of the file is missing')
  expect(isCut(notes)).toBe(true)
})

test('a damaged page is empty, and a note names it', async () => {
  const { parts, notes } = await parse(
    changed((text) => text.replace(/(\/Kids \[\d+ 0 R \d+ 0 R) \d+ 0 R/, '$1 1 0 R')),
  )
  expect(parts.map((part) => part.text)).toEqual([texts[0], texts[1], ''])
  expect(notes).toContain('Page 3 is damaged: its text was left out.')
  expect(isCut(notes)).toBe(true)
})

test('operators that make no sense hide no other text', async () => {
  const begin = 'BT /latin 12 Tf 1 0 0 1 50 700 Tm'
  const { parts } = await parsed([
    { texts: [], content: `${begin} (Hello) Tj ET ]]>> (unfinished` },
    { texts: [], content: `${begin} /latin 1e400 Tf 1 0 0 1 1e308 1e308 Tm (a) Tj 0 0 0 0 0 0 Tm (b) Tj ET` },
    { texts: [], content: `${begin} (three) Tj ET` },
  ])
  expect([parts[0]?.text, parts[2]?.text]).toEqual(['Hello', 'three'])
})

test('pages full of scattered letters don’t take long', async () => {
  const letters = (place: (index: number) => string) =>
    `BT /latin 1 Tf ${Array.from({ length: 5_000 }, (_, index) => `1 0 0 1 ${place(index)} Tm (a) Tj`).join('\n')} ET`
  const { parts } = await parsed([
    { texts: [], content: letters((index) => `${(index * 37) % 590} ${(index * 91) % 840}`) },
    { texts: [], width: 1e6, content: letters((index) => `${index * 30} 700`) },
    { texts: [], height: 1e6, content: letters((index) => `${(index % 3) * 100} ${Math.floor(index / 3) * 10}`) },
    { texts: [], height: 1e6, content: letters((index) => `${(index * 7919) % 595} ${index * 0.2}`) },
  ])
  expect(parts.map((part) => part.text.match(/a/g)?.length)).toEqual([5_000, 5_000, 5_000, 5_000])
})

test('whatever the bytes, the answer is a document or an error that says what to do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat({ max: three.length - 1 }), byte: fc.nat({ max: 255 }) }), { maxLength: 60 }),
      fc.nat({ max: three.length }),
      async (changes, length) => {
        const bytes = three.slice(0, length % 3 === 0 ? length : three.length)
        for (const { at, byte } of changes) bytes[at] = byte
        const outcome = await parse(bytes).catch((thrown: unknown) => thrown)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Failure)
      },
    ),
    { numRuns: 40 },
  )
})
