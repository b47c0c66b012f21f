import { expect, test } from 'vitest'
import { drawingsIn } from '../../../src/kit/documents/parsers/xls/drawings.ts'

const u16 = (...numbers: number[]): Buffer => Buffer.from(new Uint16Array(numbers).buffer)

const record = (type: number, ...data: Buffer[]): Buffer => {
  const all = Buffer.concat(data)
  return Buffer.concat([u16(type, all.length), all])
}

const bof = (kind: number): Buffer => record(0x809, u16(0x600, kind, 0, 0, 0, 0, 0, 0))
const eof = record(0xa)
const wide = (text: string): Buffer => Buffer.concat([Buffer.from([1]), Buffer.from(text, 'utf16le')])
const narrow = (text: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')])

/** A text box (6) or the text of a comment (0x19), in pieces. */
const box = (kind: number, length: number, ...pieces: Buffer[]): Buffer[] => [
  record(0x5d, u16(0x15, 0x12, kind, 1)),
  record(0x1b6, u16(0, 0, 0, 0, 0, length, 16, 0, 0)),
  ...pieces.map((piece) => record(0x3c, piece)),
  record(0x3c, u16(0, 0, 0, 0)),
]

const words = (text: string): Buffer => record(0x100d, u16(0), Buffer.from([text.length]), wide(text))

function number(point: number, series: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return record(0x203, u16(point, series, 0), bytes)
}

const chart = [
  bof(0x20),
  record(0x1003, u16(1, 3)),
  words('Sales'),
  record(0x1025, Buffer.alloc(32)),
  words('Month'),
  record(0x1027, u16(3, 0, 0)),
  record(0x1025, Buffer.alloc(32)),
  words('Per month'),
  record(0x1027, u16(1, 0, 0)),
  record(0x1065, u16(1)),
  number(0, 0, 0.1 + 0.2),
  number(1, 0, 20),
  record(0x1065, u16(2)),
  record(0x204, u16(0, 0, 0, 3), narrow('Jan')),
  record(0x204, u16(1, 0, 0, 3), wide('Feb')),
  eof,
]

/** A stream with these sheets. */
function workbook(...sheets: Buffer[][]): Buffer {
  const head = (places: number[]) =>
    Buffer.concat([bof(5), ...places.map((place) => record(0x85, u16(place & 0xffff, place >> 16, 0))), eof])
  let place = head(sheets.map(() => 0)).length
  const bodies = sheets.map((sheet) => Buffer.concat(sheet))
  const places = bodies.map((body) => {
    place += body.length
    return place - body.length
  })
  return Buffer.concat([head(places), ...bodies])
}

test('text boxes and charts of an old workbook, also one that is a sheet; comments are left to the cells', () => {
  const sheet = [
    bof(0x10),
    ...box(0x19, 4, narrow('Ana:')),
    ...box(6, 9, narrow('Gr\xf6\xdfe\r'), wide('東京!')),
    ...chart,
    eof,
  ]
  const values = 'Chart: Per month\n- Jan: Sales 0.3\n- Feb: Sales 20'
  expect(drawingsIn(workbook(sheet, chart, [bof(0x10), eof]))).toEqual([
    ['Text box: Größe\n東京!', values],
    [values],
    [],
  ])
})

test('it ends wherever it is cut, and another version has none', () => {
  const whole = workbook([bof(0x10), ...box(6, 500, wide('as far as it goes')), ...chart, eof])
  for (let end = 0; end < whole.length; end += 3) expect(() => drawingsIn(whole.subarray(0, end))).not.toThrow()
  const older = Buffer.from(whole)
  older.writeUInt16LE(0x500, 4)
  expect(drawingsIn(older)).toEqual([])
})
