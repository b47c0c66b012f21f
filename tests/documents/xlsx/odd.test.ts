import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCut } from '../../../src/kit/documents/parse.ts'
import { scanXml } from '../../../src/kit/documents/scan-xml.ts'
import { Failure } from '../../../src/kit/failure.ts'
import { byHand, limits, oneSheet, parse, sheetXml, workbook } from './make.ts'

const small = await workbook((made) => {
  for (const name of ['One', 'Two'])
    made.addWorksheet(name).addRows([
      ['a', 1],
      ['b', 2],
    ])
})

test('names in other cases, with backslashes or with prefixes, and missing parts do not matter', async () => {
  const xml =
    '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a &lt; b</x:t></x:is></x:c><x:c><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>'
  const file = await byHand({
    sheets: [{ name: 'S &amp; T', xml: '' }],
    more: { 'xl/worksheets/sheet1.xml': undefined, 'XL\\Worksheets\\Sheet1.XML': xml, '_rels/.rels': undefined },
  })
  const { parts } = await parse(file)
  expect(parts).toMatchObject([{ name: 'S & T', text: '| | A | B |\n| --- | --- | --- |\n| 1 | a < b | 5 |' }])
})

test('UTF-16, CDATA, comments and escapes are read', async () => {
  const xml = sheetXml(
    '<!-- x > y --><row r="2"><c r="C2" t="str"><v><![CDATA[a<b]]></v></c><c r="D2" t="str"><v>_x0041__x000D_b</v></c></row>',
  )
  const wide = Buffer.from(`\uFEFF${xml}`, 'utf16le')
  const { parts } = await parse(
    await byHand({ sheets: [{ name: 'S', xml: '' }], more: { 'xl/worksheets/sheet1.xml': wide } }),
  )
  expect(parts[0]?.text).toContain('| 2 | a<b | A<br>b |')
})

test('a cell in the last corner costs nothing, and rows in any order come out in order', async () => {
  const text = await oneSheet(
    '<row r="1048576"><c r="XFD1048576"><v>9</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>',
  )
  expect(text).toBe('| | A | XFD |\n| --- | --- | --- |\n| 1 | 1 |\n| 1048576 |  | 9 |')
})

test('cells that no sheet has are left out', async () => {
  expect(await oneSheet('<row r="0"><c r="A0"><v>1</v></c></row><row r="99999999"><c><v>1</v></c></row>')).toBe('')
})

test('strings, styles and formulas that do not exist leave what there is', async () => {
  const text = await oneSheet(
    '<row r="1"><c r="A1" t="s"><v>99</v></c><c r="B1" s="77"><v>3</v></c><c r="C1"><f t="shared" si="5"/><v>4</v></c></row>',
  )
  expect(text).toContain('| 1 | 3 | 4 |')
})

test('more text than is read is cut, and said so', async () => {
  const rows = Array.from(
    { length: 5000 },
    (_, row) => `<row r="${row + 1}"><c t="str"><v>some words</v></c></row>`,
  ).join('')
  const file = await byHand({
    sheets: [
      { name: 'S', xml: sheetXml(rows) },
      { name: 'T', xml: sheetXml(rows) },
    ],
  })
  const { parts, notes } = await parse(file, { ...limits, textCharacters: 10_000 })
  expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(10_000)
  expect(parts[0]?.text.length).toBeGreaterThan(5000)
  expect(notes.join(' ')).toContain('was left out')
})

test('a diagonal of cells does not grow to a full square', async () => {
  const rows = Array.from({ length: 3000 }, (_, row) => {
    const letters = String.fromCharCode(
      65 + (Math.floor(row / 676) % 26),
      65 + (Math.floor(row / 26) % 26),
      65 + (row % 26),
    )
    return `<row r="${row + 1}"><c r="${letters}${row + 1}"><v>1</v></c></row>`
  })
  const { parts, notes } = await parse(await byHand({ sheets: [{ name: 'S', xml: sheetXml(rows.join('')) }] }))
  expect(parts[0]?.text.length).toBeLessThanOrEqual(limits.textCharacters)
  expect(notes.join(' ')).toContain('was left out')
})

test('600 sheets are 600 parts', async () => {
  const sheets = Array.from({ length: 600 }, (_, index) => ({
    name: `S${index}`,
    xml: sheetXml(`<row r="1"><c r="A1"><v>${index}</v></c></row>`),
  }))
  const { parts, notes } = await parse(await byHand({ sheets }))
  expect(parts).toHaveLength(600)
  expect(parts.at(-1)?.text).toContain('| 1 | 599 |')
  expect(notes.length).toBeLessThan(300)
})

test('a bomb is refused', async () => {
  const xml = sheetXml(`<row r="1"><c t="str"><v>${'0'.repeat(4_000_000)}</v></c></row>`)
  const file = await byHand({ sheets: [{ name: 'S', xml }] })
  await expect(parse(file, { ...limits, unpackedBytes: 1_000_000 })).rejects.toMatchObject({ code: 'too_complex' })
})

test('a binary workbook with nothing in it and one without sheets are damaged', async () => {
  const binary = await byHand({
    sheets: [],
    more: { '_rels/.rels': undefined, 'xl/workbook.xml': undefined, 'xl/workbook.bin': 'x' },
  })
  await expect(parse(binary)).rejects.toMatchObject({ code: 'damaged' })
  await expect(parse(await byHand({ sheets: [] }))).rejects.toMatchObject({ code: 'damaged' })
})

test('a sheet that ends in the middle is read so far', async () => {
  const xml = sheetXml('<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>').slice(0, -60)
  const { parts, notes } = await parse(await byHand({ sheets: [{ name: 'S', xml }] }))
  expect(parts[0]?.text).toContain('| 1 | 1 |')
  expect(notes[0]).toContain('ends in the middle')
  expect(isCut(notes)).toBe(true)
})

test('whatever is cut or changed in a file, there is a text or a plain error', async () => {
  const bytes = fc.record({
    cut: fc.integer({ min: 0, max: small.length }),
    at: fc.nat(small.length - 1),
    byte: fc.nat(255),
  })
  await fc.assert(
    fc.asyncProperty(bytes, async ({ cut, at, byte }) => {
      const broken = Buffer.from(small.subarray(0, cut % 2 === 0 ? small.length : cut))
      if (at < broken.length) broken[at] = byte
      const outcome = await parse(broken).catch((thrown: unknown) => thrown)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Failure)
    }),
    { numRuns: 200 },
  )
})

test('any text is read through without a fault', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    ' ',
    'a',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&#x41;',
    '<c r="A1">',
    '</c>',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      scanXml(Buffer.from(pieces.join('')), { open: (_, attributes) => void attributes.get('r') })
    }),
  )
})
