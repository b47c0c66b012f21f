import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocumentPiece, ParsedDocument } from '../../../src/kit/documents/document.ts'
import { parseXlsx } from '../../../src/kit/documents/parsers/xlsx.ts'
import { scanXml, scanXmlPieces, type XmlListener } from '../../../src/kit/documents/scan-xml.ts'
import { openZip } from '../../../src/kit/documents/zip.ts'
import { byHand, limits, parse, sheetXml } from './make.ts'

// A sheet with much text is read twice and handed over in portions.

const roomy = { ...limits, textCharacters: 10_000_000 }

/** Pieces put together again, and how many there were. */
async function handed(bytes: Uint8Array, given = roomy): Promise<{ document: ParsedDocument; pieces: number }> {
  const pieces: DocumentPiece[] = []
  const last = await parseXlsx({ name: 'a.xlsx', bytes }, given, undefined, async (some) => void pieces.push(...some))
  const parts: DocumentPiece[] = []
  const all: DocumentPiece[] = [...pieces, ...last.parts]
  for (const { continues, ...piece } of all) {
    const open = parts.at(-1)
    if (continues === undefined || open === undefined) parts.push(piece)
    else
      Object.assign(open, {
        text: open.text + piece.text,
        ...(piece.formulas === undefined ? {} : { formulas: (open.formulas ?? '') + piece.formulas }),
      })
  }
  return { document: { ...last, parts }, pieces: pieces.length }
}

const cell = (place: string, text: string): string => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`

const row = (number: number): string =>
  [
    `<row r="${number}" ${number === 7 ? 'hidden="1"' : ''}>`,
    cell(`A${number}`, `Order ${number} of the harbour, with words`),
    // A column that only one row has.
    number === 18_000 ? cell(`C${number}`, 'two&#10;lines | and a bar') : '',
    number === 1
      ? '<c r="E1"><f t="shared" ref="E1:E20000" si="0">A1*2</f><v>1</v></c>'
      : `<c r="E${number}"><f t="shared" si="0"/>${number % 3 === 0 ? '' : `<v>${number}</v>`}</c>`,
    '</row>',
  ].join('')

const rows = Array.from({ length: 20_000 }, (_, index) => row(index + 1))

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const more = {
  'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships><Relationship Id="c" Type="${office}/comments" Target="../comments1.xml"/><Relationship Id="h" Type="${office}/hyperlink" Target="https://example.org/orders" TargetMode="External"/></Relationships>`,
  'xl/comments1.xml':
    '<comments><authors><author>Ana</author></authors><commentList><comment ref="A2" authorId="0"><text><t>Is it right?</t></text></comment></commentList></comments>',
}

const linked = (content: string): string =>
  sheetXml(content).replace(
    '</sheetData>',
    `</sheetData><hyperlinks xmlns:r="${office}"><hyperlink ref="A15000" r:id="h"/></hyperlinks>`,
  )

const small = { name: 'Small', xml: sheetXml('<row r="1"><c r="B1"><v>5</v></c></row>') }

test('together the portions are what the whole would be: columns, formulas, links, comments, other sheets', async () => {
  const bytes = await byHand({ sheets: [{ name: 'Large', xml: linked(rows.join('')) }, small], more })
  const whole = await parse(bytes, roomy)
  const { document, pieces } = await handed(bytes)
  expect(pieces).toBeGreaterThan(1)
  expect(document).toEqual(whole)
  const [large, other] = document.parts
  expect(large?.text).toContain(
    '| 18000 | Order 18000 of the harbour, with words | two<br>lines \\| and a bar | =A18000*2 |',
  )
  expect(large?.text).toContain('(https://example.org/orders)')
  expect(large?.text.endsWith('\n\nComments:\n- A2 (Ana): Is it right?')).toBe(true)
  expect(other?.text).toContain('| 1 | 5 |')
})

test('rows in no order are put in order, however many there are', async () => {
  const bytes = await byHand({ sheets: [{ name: 'Large', xml: sheetXml(rows.toReversed().join('')) }, small] })
  const { document } = await handed(bytes)
  expect(document).toEqual(await parse(bytes, roomy))
  expect(document.parts[0]?.text.split('\n')[2]).toMatch(/^\| 1 \| Order 1 /)
})

test('what is beyond the limit is left out and said, in portions too', async () => {
  const bytes = await byHand({ sheets: [{ name: 'Large', xml: sheetXml(rows.join('')) }, small] })
  const { document, pieces } = await handed(bytes, { ...roomy, textCharacters: 700_000 })
  expect(pieces).toBeGreaterThan(0)
  const length = document.parts.reduce((sum, { text }) => sum + text.length, 0)
  expect(length).toBeLessThanOrEqual(700_000)
  expect(length).toBeGreaterThan(300_000)
  expect(document.notes.at(-1)).toMatch(/was left out\.$/)
})

test('a sheet that is unpacked twice counts once', async () => {
  const bytes = await byHand({ sheets: [{ name: 'Large', xml: sheetXml(rows.join('')) }] })
  const unpackedBytes = rows.join('').length + 5000
  expect((await handed(bytes, { ...roomy, unpackedBytes })).document.parts).toHaveLength(1)
  await expect(handed(bytes, { ...roomy, unpackedBytes: unpackedBytes - 10_000 })).rejects.toMatchObject({
    code: 'too_complex',
  })
  const zip = await openZip(bytes, { ...roomy, unpackedBytes })
  const sheet = 'xl/worksheets/sheet1.xml'
  for await (const _ of zip.pieces(sheet, true)) break
  // Only what was unpacked before is free.
  for (let time = 0; time < 2; time++) for await (const _ of zip.pieces(sheet, true));
  await expect(zip.read(sheet)).rejects.toMatchObject({ code: 'too_complex' })
})

test('XML in pieces of whatever size is read as in one', async () => {
  const xml = '\uFEFF<?xml version="1.0"?><a b="1 > 0"><!-- < --><c>x &amp; ü 日本</c><![CDATA[<]]><d/></a>'
  for (const bytes of [Buffer.from(xml), Buffer.from(xml.repeat(20)), Buffer.from(xml, 'utf16le')])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
        async function* pieces() {
          for (let at = 0, turn = 0; at < bytes.length; at += sizes[turn++ % sizes.length] ?? 1)
            yield bytes.subarray(at, at + (sizes[turn % sizes.length] ?? 1))
        }
        const [one, other] = [heard(), heard()]
        expect(await scanXmlPieces(pieces(), other)).toBe(scanXml(bytes, one))
        expect(other.said).toEqual(one.said)
      }),
      { numRuns: 50 },
    )
})

function heard(): XmlListener & { said: string[] } {
  const said: string[] = []
  return {
    said,
    open: (name, attributes) => void said.push(`<${name} ${attributes.source}>`),
    text: (text) => void said.push(text),
    close: (name) => said.push(`</${name}>`) > 0,
  }
}
