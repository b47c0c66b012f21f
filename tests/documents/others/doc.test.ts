import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { formatOf } from '../../../src/kit/documents/parsers/doc/characters.ts'
import { fieldsIn } from '../../../src/kit/documents/parsers/doc/fields.ts'
import { numberingOf } from '../../../src/kit/documents/parsers/doc/lists.ts'
import { sprmsIn } from '../../../src/kit/documents/parsers/doc/properties.ts'
import type { WordFile } from '../../../src/kit/documents/parsers/doc/word-file.ts'
import { Failure } from '../../../src/kit/failure.ts'
import { damaged } from '../damage/damaged.ts'
import { parse } from './make.ts'

/** Saved as .doc by LibreOffice; see make-word.ts. */
const letter = (): Buffer => gunzipSync(readFileSync(new URL('../../fixtures/office/harbour.doc.gz', import.meta.url)))

/** Where the main stream begins: at a sector of its own. */
const mainOf = (file: Buffer): number => {
  for (let at = 512; at < file.length; at += 512) if (file.readUInt16LE(at) === 0xa5ec) return at
  throw new Error('no main stream')
}

test('an old Word document is read as a newer one: headings, tables, notes, changes, comments, boxes', async () => {
  const { kind, notes, parts } = await parse(parseFile, letter(), 'harbour.doc')
  expect(kind).toBe('legacy')
  expect(notes).toEqual(['Page header: Harbour office', 'Page footer: Draft'])
  expect(parts.map(({ name }) => name)).toEqual(['Fees', 'Rules'])
  expect(parts[0]?.text).toBe(
    [
      '# Harbour 東京',
      '# Fees',
      'The fee is [deleted by Ana Lee, 2024-05-06: 500][inserted by Ana Lee, 2024-05-06: 900] **euros**[^1][hidden:  secret] a².',
      '| Port |  | Fee | Tide |\n| --- | --- | --- | --- |\n| Größe | north | 120.50 | low, 1 m<br>high, 4 m |\n| Größe | south | 80.00 |  |',
      '[^1]: Measured in 2023.',
    ].join('\n\n'),
  )
  const text = parts[1]?.text ?? ''
  expect(text).toMatch(/^# Rules\n\n## Ships\n\n- rope 1\n {2}- rope 2\n- rope 3\n\nBetween/)
  // LibreOffice stores the first item of a list in a list of its own.
  expect(text).toContain('I. rule 1\nI. rule 2\n  a) rule 3\nII. rule 4')
  expect(text).toContain('See the tides (https://example.org/tides?a=1&b=2)\n\n> comment (Ana Lee): Is this right?')
  expect(text).toMatch(/Words in a box\n\nThe end\.$/)
})

test('paragraphs without text have numbers too', async () => {
  const file = letter()
  file.write('\r'.repeat(6), file.indexOf(Buffer.from('rule 2', 'utf16le')), 'utf16le')
  const { parts } = await parse(parseFile, file)
  expect(parts[1]?.text).toContain('I. rule 1\nI.\nII.\nIII.\nIV.\nV.\nVI.\nVII.\n  a) rule 3\nVIII. rule 4')
})

test('a page break at the end of a paragraph doesn’t count as another one', async () => {
  const file = letter()
  file.write('rule \f', file.indexOf(Buffer.from('rule 2', 'utf16le')), 'utf16le')
  const { parts } = await parse(parseFile, file)
  expect(parts[1]?.text).toContain('I. rule\n  a) rule 3\nII. rule 4')
})

test('names of its streams count in any case', async () => {
  const file = letter()
  for (const name of ['WordDocument', '1Table']) {
    const at = file.indexOf(Buffer.from(name, 'utf16le'))
    file.write(name.toUpperCase(), at, 'utf16le')
  }
  expect((await parse(parseFile, file)).parts).toHaveLength(2)
})

test.each([
  ['more text than it has', (clx: Buffer) => clx.writeUInt32LE(0x7fffffff, 9)],
  ['a text that starts elsewhere', (clx: Buffer) => clx.writeUInt32LE(5, 5)],
  ['a text that lies behind its end', (clx: Buffer) => clx.writeUInt32LE(0x3ffffff0, 15)],
  ['no list of its text', (clx: Buffer) => clx.fill(0, 0, 1)],
])('one that names %s is damaged', async (_, spoil) => {
  const file = letter()
  const main = file.subarray(mainOf(file))
  // The table stream begins at a sector of its own too, and the list of its text begins with this.
  const clx = file.subarray(clxAt(file, main))
  spoil(clx)
  await expect(parse(parseFile, file)).rejects.toMatchObject({ code: 'damaged' })
})

function clxAt(file: Buffer, main: Buffer): number {
  const length = main.readUInt32LE(154 + 33 * 8 + 4)
  for (let at = 512; at + length <= file.length; at++) {
    if (file[at] === 2 && file.readUInt32LE(at + 1) === length - 5 && file.readUInt32LE(at + 5) === 0) return at
  }
  throw new Error('no list of its text')
}

test('lengths and places in its header that lie end soon', async () => {
  for (let pair = 0; pair < 93; pair++) {
    for (const [start, length] of [
      [0, 0xffffffff],
      [0xffffffff, 4],
      [3, 0x7fffffff],
    ] as const) {
      const file = letter()
      const main = file.subarray(mainOf(file))
      main.writeUInt32LE(start, 154 + pair * 8)
      main.writeUInt32LE(length, 154 + pair * 8 + 4)
      await parse(parseFile, file).catch((thrown) => expect(thrown).toBeInstanceOf(Error))
    }
  }
})

test('it is read, or refused, however it was damaged on its way', async () => {
  let read = 0
  for (const { bytes } of damaged({ name: 'harbour.doc', bytes: letter() }, 60, 5)) {
    await parse(parseFile, bytes).then(
      () => read++,
      (thrown) => expect(thrown instanceof Failure || thrown instanceof RangeError).toBe(true),
    )
  }
  expect(read).toBeGreaterThan(20)
})

test('marks of fields without a counterpart hide nothing, and deep ones end', () => {
  const marks = (text: string) => [...fieldsIn(text, { from: 0, to: text.length }).values()]
  expect(marks('a\x13b')).toEqual([])
  expect(marks('a\x15b\x14')).toEqual([])
  expect(marks('\x13 HYPERLINK "https://example.org" \\o "x" \x14word\x15')).toEqual([
    { kind: 'begin', href: 'https://example.org' },
    { kind: 'separator' },
    { kind: 'end' },
  ])
  expect(marks('\x13 HYPERLINK \\l "_Toc1" \x14word\x15')[0]).toEqual({ kind: 'begin', href: '' })
  expect(marks('\x13'.repeat(100_000) + '\x15'.repeat(100_000))).toHaveLength(200_000)
})

test('properties whose length lies are cut', () => {
  expect(sprmsIn(Buffer.from('08d6ffff01', 'hex'))).toEqual([{ code: 0xd608, operand: Buffer.from([1]) }])
  expect(sprmsIn(Buffer.from('15c6ff', 'hex'))).toEqual([{ code: 0xc615, operand: Buffer.alloc(0) }])
  expect(sprmsIn(Buffer.from('0835', 'hex'))).toEqual([])
})

test.each(['370801', '532a01'])('a line through the text, or two (%s), strikes it out', (property) => {
  expect(formatOf(sprmsIn(Buffer.from(property, 'hex')), [])).toMatchObject({ isStruck: true })
})

test('levels of lists that don’t restart, or only after higher ones, count on', () => {
  const level = (limit?: number): Buffer => {
    const bytes = Buffer.alloc(32)
    bytes.writeInt32LE(1, 0)
    bytes[5] = limit === undefined ? 0 : 8
    bytes[26] = limit ?? 1
    bytes.writeUInt16LE(1, 28)
    return bytes
  }
  const list = Buffer.alloc(2 + 28)
  list.writeUInt16LE(1, 0)
  const levels = [undefined, 0, 1, 2, ...new Array<undefined>(5)].map((limit, at) => {
    const bytes = level(limit)
    bytes.writeUInt16LE(at, 30)
    return bytes
  })
  const parts = { lists: Buffer.concat([list, ...levels]), listOverrides: Buffer.alloc(4 + 16 + 4) }
  parts.listOverrides.writeUInt32LE(1, 0)
  // Nothing else of a file is read.
  const numbering = numberingOf({ from: (part: keyof typeof parts) => parts[part] } as unknown as WordFile)
  const numbers = [0, 1, 2, 3, 4, 2, 3, 4, 1, 2, 3, 4, 0, 1, 2, 3, 4].map((at) => numbering.next('1', at))
  expect(numbers.join(' ')).toBe('1 1 1 1 1 2 2 1 2 3 1 1 2 3 1 1 1')
})
