import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { linksIn } from '../../../src/kit/documents/parsers/ppt/links.ts'
import { recordsIn } from '../../../src/kit/documents/parsers/ppt/records.ts'
import { slideOf } from '../../../src/kit/documents/parsers/ppt/slide.ts'
import { textsIn } from '../../../src/kit/documents/parsers/ppt/text.ts'
import { limits, ole, parse } from './make.ts'

/** Saved as .ppt by LibreOffice, and packed, since it stores much that is empty. */
const presentation = (): Buffer =>
  gunzipSync(readFileSync(new URL('../../fixtures/office/tides.ppt.gz', import.meta.url)))

test('the slides of an old presentation are read in order: titles, lists, tables, comments, notes', async () => {
  const { kind, notes, parts } = await parse(parseFile, presentation(), 'tides.ppt')
  expect(kind).toBe('pptx')
  expect(notes).toEqual(['Slide 3 is hidden.'])
  expect(parts.map(({ unit, number }) => `${unit} ${number}`)).toEqual(['slide 1', 'slide 2', 'slide 3'])
  expect(parts[0]).toMatchObject({
    name: 'Plan for Größe 東京',
    text: '# Plan for Größe 東京\n\n- First point\n  - Deeper point\n- Second point\n\nNotes:\nSay this slowly.',
  })
  expect(parts[1]?.text).toContain(
    '| Team | Cost | Share |\n| --- | --- | --- |\n| Sales | 1,200 | 12% |\n| Ops |  | 88% |\n\nA box below it\n\n> comment (Ana Lee): Is this right?',
  )
  expect(parts[2]?.text).toMatch(/^\(hidden slide\)[\s\S]*hidden words$/)
})

test('one that is protected says so', async () => {
  const file = presentation()
  // The same beginning as the other, with another mark.
  const mark = Buffer.from('5fc091e3', 'hex')
  file.writeUInt32LE(0xf3d1c4df, file.indexOf(mark))
  await expect(parse(parseFile, file)).rejects.toMatchObject({
    code: 'not_readable',
    remedy: expect.stringContaining('without a password'),
  })
})

test('one that is cut or empty is damaged, and lists of slides that run in circles end', async () => {
  const file = presentation()
  await expect(parse(parseFile, ole('PowerPoint Document'))).rejects.toMatchObject({ code: 'damaged' })
  for (const end of [700, 9000, 100_000]) {
    await expect(parse(parseFile, file.subarray(0, end))).rejects.toMatchObject({ code: 'damaged' })
  }
  const edit = file.indexOf(Buffer.from('0000f50f1c000000', 'hex'))
  expect(edit).toBeGreaterThan(0)
  // Its list says that the one before it is itself.
  const user = file.indexOf(Buffer.from('5fc091e3', 'hex'))
  file.writeUInt32LE(file.readUInt32LE(user + 4), edit + 16)
  expect((await parse(parseFile, file)).parts).toHaveLength(3)
})

test('more slides than fit are left out, with a note', async () => {
  const { parts, notes } = await parseFile({ name: 'a.ppt', bytes: presentation() }, { ...limits, parts: 1 })
  expect(parts).toHaveLength(1)
  expect(notes.at(-1)).toMatch(/was left out\.$/)
})

const record = (type: number, body: Buffer, version = 0, instance = 0): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt16LE(version | (instance << 4), 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const numbers = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)

test('the lines around the cells of a table take nothing away from it', () => {
  const within = (type: number, ...records: Buffer[]): Buffer => record(type, Buffer.concat(records), 15)
  const text = (words: string): Buffer =>
    within(0xf00d, record(3999, numbers(4)), record(4000, Buffer.from(words, 'utf16le')))
  const shape = (kind: number, place: number[], ...more: Buffer[]): Buffer =>
    within(0xf004, record(0xf00a, numbers(kind, 0), 2, kind), record(0xf00f, numbers(...place)), ...more)
  const cells = ['Team', 'Cost', 'Sales', '1,200'].map((words, index) => {
    const [left, top] = [(index % 2) * 100, Math.floor(index / 2) * 100]
    return shape(1, [left, top, left + 100, top + 100], text(words))
  })
  const lines = [0, 100, 200].flatMap((at) => [shape(20, [0, at, 200, at]), shape(20, [at, 0, at, 200])])
  const isTable = Buffer.alloc(6)
  isTable.writeUInt16LE(0x039f, 0)
  isTable.writeUInt32LE(1, 2)
  const head = within(0xf004, record(0xf122, isTable, 3, 1), record(0xf010, Buffer.alloc(8)))
  const slideWith = (shapes: Buffer[]): Buffer =>
    within(1036, within(0xf002, within(0xf003, within(0xf004), within(0xf003, head, ...shapes))))
  const textOf = (shapes: Buffer[]): string => slideOf(slideWith(shapes), [], undefined, new Map()).text
  expect(textOf(cells)).toBe('| Team | Cost |\n| --- | --- |\n| Sales | 1,200 |')
  expect(textOf([...cells, ...lines])).toBe(textOf(cells))
  expect(textOf([...lines, ...cells])).toBe(textOf(cells))
})

test('texts in one byte per letter, with bullets that say otherwise than their kind', () => {
  const kind = Buffer.from('01000000', 'hex')
  const style = Buffer.alloc(24)
  style.writeUInt32LE(4, 0)
  style.writeUInt32LE(1, 6)
  style.writeUInt32LE(4, 12)
  style.writeUInt16LE(2, 16)
  style.writeUInt32LE(1, 18)
  style.writeUInt16LE(1, 22)
  const bytes = [record(3999, kind), record(4008, Buffer.from('Grö\rtwo', 'latin1')), record(4001, style)]
  expect(textsIn(recordsIn(Buffer.concat(bytes)))).toEqual([{ kind: 1, text: 'Grö\n    - two' }])
})

test('a text that ends within a character is read up to there', () => {
  for (let length = 1001; length < 3001; length += 100) {
    const bytes = Buffer.alloc(length + 1, 'a\0').subarray(1)
    const records = [
      { type: 3999, instance: 0, body: Buffer.alloc(4) },
      { type: 4000, instance: 0, body: bytes },
    ]
    for (let time = 0; time < 100; time++) expect(textsIn(records)[0]?.text).toHaveLength((length - 1) / 2)
  }
})

test('links stand behind their words, and those that lie about their place do no harm', () => {
  const target = (number: number, address: string) =>
    record(
      4055,
      Buffer.concat([record(4051, numbers(number)), record(4026, Buffer.from(address, 'utf16le'), 0, 1)]),
      15,
    )
  const links = linksIn(
    record(1033, Buffer.concat([target(1, 'https://example.org/tides'), target(2, 'http://example.org')]), 15),
  )
  const text = (raw: string, ...linked: [number: number, from: number, end: number][]) =>
    textsIn(
      recordsIn(
        Buffer.concat([
          record(3999, numbers(4)),
          record(4008, Buffer.from(raw, 'latin1')),
          ...linked.flatMap(([number, from, end]) => [
            record(4082, record(4083, numbers(0, number, 0, 0)), 15),
            record(4063, numbers(from, end)),
          ]),
        ]),
      ),
      links,
    )[0]?.text
  expect(text('See the tides\rand example.org.', [1, 4, 13], [2, 18, 29])).toBe(
    'See the tides (https://example.org/tides)\nand example.org.',
  )
  expect(text('See the tides', [7, 0, 3], [1, 900, 2 ** 32 - 1], [1, 9, 3])).toContain('the tides')
})
