import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Parser } from '../../../src/kit/documents/parse.ts'
import { parseDocx } from '../../../src/kit/documents/parsers/docx.ts'
import { parseOdf } from '../../../src/kit/documents/parsers/odf.ts'
import { parsePptx } from '../../../src/kit/documents/parsers/pptx.ts'
import { Failure } from '../../../src/kit/failure.ts'
import { changed, limits, p, wordFile, zipOf } from './make.ts'
import { odfFile, tc, tp, tr } from './make-odf.ts'

const pptx = (): Promise<Uint8Array> =>
  zipOf({
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="x/slide" Target="slides/s.xml"/></Relationships>',
    'ppt/slides/s.xml':
      '<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>words</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
  })

const kinds: [string, Parser, () => Promise<Uint8Array>, string][] = [
  ['Word', parseDocx, () => wordFile(p('words') + p('more')), 'word/document.xml'],
  ['PowerPoint', parsePptx, pptx, 'ppt/slides/s.xml'],
  ['text', parseOdf, () => odfFile('text', tp('words')), 'content.xml'],
  [
    'spreadsheet',
    parseOdf,
    () => odfFile('spreadsheet', `<table:table>${tr(tc('words'))}</table:table>`),
    'content.xml',
  ],
]

async function codeOf(parse: Parser, bytes: Uint8Array, own = limits): Promise<string> {
  try {
    await parse({ name: 'a', bytes }, own)
    return 'read'
  } catch (thrown) {
    return thrown instanceof Failure ? thrown.code : `thrown: ${thrown}`
  }
}

describe.each(kinds)('a hostile or broken %s file', (_, parse, make, part) => {
  test('that is whole is read', async () => {
    const { parts } = await parse({ name: 'a', bytes: await make() }, limits)
    expect(parts.map(({ text }) => text).join()).toContain('words')
  })

  test('that ends early is damaged, or read as far as it goes', async () => {
    const bytes = await make()
    for (let length = 0; length < bytes.length; length += 97)
      expect(await codeOf(parse, bytes.subarray(0, length))).toMatch(/^(damaged|read)$/)
  })

  test('with changed bytes ends with text or a plain error', async () => {
    const bytes = await make()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        async (changes) => {
          const broken = Uint8Array.from(bytes)
          for (const [at, value] of changes) broken[at] = value
          expect(await codeOf(parse, broken)).not.toMatch(/^thrown: (Range|Reference)Error/)
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each([
    ['entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'too_complex'],
    ['many nested elements', '<w:p>'.repeat(100_000), 'too_complex'],
    ['nothing in it', '', 'damaged'],
    ['no XML in it', '\0\u0001\u0002 no XML', 'damaged'],
    ['a huge file of spaces', `<a>${' '.repeat(3_000_000)}</a>`, 'too_complex'],
  ])('with %s', async (_what, content, code) => {
    const bytes = await changed(await make(), { [part]: content })
    expect(await codeOf(parse, bytes, { ...limits, unpackedBytes: 2_000_000 })).toBe(code)
  })

  test('without its main part is damaged', async () => {
    expect(await codeOf(parse, await changed(await make(), { [part]: undefined }))).toBe('damaged')
  })

  test('a bomb outside of the text is not unpacked', async () => {
    const bytes = await changed(await make(), { 'media/bomb.png': new Uint8Array(3_000_000) })
    expect(await codeOf(parse, bytes, { ...limits, unpackedBytes: 1_000_000 })).toBe('read')
  })

  test('the deepest that is allowed does not exhaust the stack', async () => {
    const nested = (inner: string): string =>
      `${'<w:sdt><w:sdtContent>'.repeat(120)}${inner}${'</w:sdtContent></w:sdt>'.repeat(120)}`
    expect(await codeOf(parseDocx, await wordFile(nested(p('deep'))))).toBe('read')
    const groups = `${'<draw:g>'.repeat(240)}${tp('deep')}${'</draw:g>'.repeat(240)}`
    expect(await codeOf(parseOdf, await odfFile('text', groups))).toBe('read')
  })
})

test('what is written once and shown often stays small', async () => {
  const links = `<Relationship Id="L" Type="x/hyperlink" Target="https://x.example/${'a'.repeat(100_000)}" TargetMode="External"/>`
  const body = `<w:p>${'<w:hyperlink r:id="L"><w:r><w:t>w</w:t></w:r></w:hyperlink><w:r><w:t> </w:t></w:r>'.repeat(500)}</w:p>`
  const footnotes = `<w:footnote w:id="1">${p('n'.repeat(100_000))}</w:footnote>`
  const references = `<w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(500)}</w:p>`
  const { parts } = await parseDocx(
    { name: 'a', bytes: await wordFile(body + references, { links, footnotes }) },
    limits,
  )
  expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(500_000)
})

test('every paragraph and cell that a library writes is found again, in order', async () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '漢', '7', ',', '&', '<'),
    minLength: 1,
    maxLength: 12,
  })
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 5 }))
  const block = fc.oneof(word, table, fc.record({ heading: word }))
  const paragraph = (text: string): Paragraph => new Paragraph({ text })
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), async (blocks) => {
      const children = blocks.map((one) => {
        if (typeof one === 'string') return paragraph(one)
        if (!Array.isArray(one)) return new Paragraph({ text: one.heading, heading: HeadingLevel.HEADING_2 })
        return new Table({
          rows: one.map(
            (row) => new TableRow({ children: row.map((text) => new TableCell({ children: [paragraph(text)] })) }),
          ),
        })
      })
      const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }))
      const { parts } = await parseDocx({ name: 'a', bytes }, limits)
      const expected = blocks.flatMap((one) => {
        if (typeof one === 'string') return [one]
        if (!Array.isArray(one)) return [`## ${one.heading}`]
        const line = (row: string[]): string => `| ${row.join(' | ')} |`
        return [[line(one[0] ?? []), `|${' --- |'.repeat(one[0]?.length ?? 0)}`, ...one.slice(1).map(line)].join('\n')]
      })
      expect(parts.map(({ text }) => text).join('\n\n')).toBe(expected.join('\n\n'))
    }),
    { numRuns: 40 },
  )
})
