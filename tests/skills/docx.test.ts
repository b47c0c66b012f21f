import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { parseDocx } from '../../src/kit/documents/parsers/docx.ts'
import { limits, wordFile } from '../documents/office/make.ts'
import { png } from '../support/images.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

/** What our parser, which isn't what writes them, reads in a document. */
async function readDocx(folder: string, name: string): Promise<string> {
  const { parts, notes } = await parseDocx({ name, bytes: await readFile(join(folder, name)) }, limits)
  return [...notes, ...parts.map(({ text }) => text)].join('\n')
}

const markdown = `# Report

Some **bold** words, a [link](https://example.com/a) and a note[^1].

1. one
   - nested
2. two

- [x] done

| Item | Cost |
|------|-----:|
| Rent | 1200 |

![Sales](sales.png)

<!-- page -->

## 第二章

你好，世界

[^1]: From the annual accounts.
`

test('a Word document is made with everything that a report has', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'in.md'), markdown)
  await writeFile(join(folder, 'sales.png'), png)
  const options = { title: 'Annual report', header: 'ACME', footer: 'Secret', pageNumbers: true, contents: true }
  await writeFile(
    join(folder, 'options.json'),
    JSON.stringify({ ...options, cover: { title: 'Annual', lines: ['Ana'] } }),
  )
  await run(folder, 'docx/make', 'a.docx', 'in.md', 'options.json')
  const read = await readDocx(folder, 'a.docx')
  expect(read).toContain('# Report\n\nSome **bold** words, a link (https://example.com/a)')
  expect(read).toMatch(/1\. one\n\s+- nested\n2\. two\n- ☑ done/)
  expect(read).toMatch(/\| Item \| Cost \|\n.*\n\| Rent \| 1200 \|\n\n\[image: Sales\]/)
  expect(read).toContain('## 第二章\n\n你好，世界')
  expect(read).toContain('From the annual accounts.')
  expect(JSON.parse((await run(folder, 'docx/look', 'a.docx')).split('\n')[0] ?? '')).toMatchObject({
    ...{ tables: 1, images: 1, header1: 'ACME' },
    footer1: expect.stringContaining('Secret'),
  })
  await writeFile(join(folder, 'gone.md'), '![x](nowhere.png)')
  expect(await failure(run(folder, 'docx/make', 'b.docx', 'gone.md'))).toContain('There is no image nowhere.png')
})

const paragraph = (...runs: string[]): string =>
  `<w:p>${runs.map((text) => `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`).join('')}</w:p>`
const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`
const contract = [
  paragraph('Pay within 3', '0 da', 'ys of receipt.'),
  paragraph('Between A &amp; B.'),
  `<w:tbl><w:tr>${cell('Rent')}${cell('1200')}</w:tr></w:tbl>`,
  paragraph('To be deleted.'),
  paragraph('Signed, ', 'A'),
].join('')
const changes = [
  { replace: '30 days', with: '14 days' },
  { replace: 'A', with: 'X', all: true },
  { after: 2, add: ['First new.', 'Second <new>.'] },
  { cell: [1, 1, 2], text: '1300' },
  { delete: 5 },
]
const before = 'Pay within 30 days of receipt.\nBetween A & B.\nRent\n1200\nTo be deleted.\nSigned, A'
const after = 'Pay within 14 days of receipt.\nBetween X & B.\nFirst new.\nSecond <new>.\nRent\n1300\nSigned, X'

test('a Word document is changed across its formats, tracked, accepted and rejected', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'in.docx'), await wordFile(contract, { header: paragraph('Head') }))
  await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
  const texts = async (name: string): Promise<string> => {
    const [, ...lines] = (await run(folder, 'docx/look', name)).trimEnd().split('\n')
    return lines.map((line) => line.replace(/^\d+ \[[^\]]*\] /, '')).join('\n')
  }
  expect(await texts('in.docx')).toBe(before)
  await run(folder, 'docx/edit', 'in.docx', 'plain.docx', 'changes.json')
  expect(await texts('plain.docx')).toBe(after)
  expect(await readDocx(folder, 'plain.docx')).toContain('**Pay within 14 days of receipt.**')

  const tracked = [...changes, { comment: 1, text: 'Is this enough?' }]
  await writeFile(join(folder, 'tracked.json'), JSON.stringify(tracked))
  await run(folder, 'docx/edit', 'in.docx', 'tracked.docx', 'tracked.json', '--track', 'Ana')
  const about = (await run(folder, 'docx/look', 'tracked.docx')).split('\n')[0] ?? ''
  expect(JSON.parse(about)).toMatchObject({
    trackedChanges: expect.arrayContaining([
      { inserted: '14 days', by: 'Ana' },
      { deleted: '1200', by: 'Ana' },
    ]),
    comments: [{ by: 'Ana', text: 'Is this enough?' }],
  })
  await run(folder, 'docx/settle', 'tracked.docx', 'accepted.docx', 'accept')
  await run(folder, 'docx/settle', 'tracked.docx', 'rejected.docx', 'reject')
  expect(await texts('accepted.docx')).toBe(after)
  expect(await texts('rejected.docx')).toBe(before)
  expect(await readDocx(folder, 'accepted.docx')).toContain('Is this enough?')

  await writeFile(join(folder, 'twice.json'), '[{ "replace": "e", "with": "x" }]')
  expect(await failure(run(folder, 'docx/edit', 'in.docx', 'x.docx', 'twice.json'))).toMatch(/"e" is there \d+ times/)
})

const by = 'w:id="1" w:author="Ana" w:date="2027-01-01T00:00:00Z"'
const words = (text: string, format = ''): string => `<w:r><w:rPr>${format}</w:rPr><w:t>${text}</w:t></w:r>`
const rowWith = (mark: string, cells: string): string => `<w:tr><w:trPr>${mark}</w:trPr>${cells}</w:tr>`
const cellWith = (mark: string, text: string): string =>
  `<w:tc><w:tcPr>${mark}</w:tcPr><w:p>${words(text)}</w:p></w:tc>`
const revised = [
  // A paragraph that was moved, with its end.
  `<w:moveFromRangeStart ${by} w:name="m"/><w:p><w:pPr><w:rPr><w:moveFrom ${by}/></w:rPr></w:pPr><w:moveFrom ${by}>${words('Moved.')}</w:moveFrom></w:p><w:moveFromRangeEnd w:id="1"/>`,
  `<w:p>${words('Stays.')}</w:p>`,
  `<w:moveToRangeStart ${by} w:name="m"/><w:p><w:pPr><w:rPr><w:moveTo ${by}/></w:rPr></w:pPr><w:moveTo ${by}>${words('Moved.')}</w:moveTo></w:p><w:moveToRangeEnd w:id="1"/>`,
  `<w:p><w:pPr><w:jc w:val="right"/><w:rPr/><w:pPrChange ${by}><w:pPr><w:pStyle w:val="Old"/></w:pPr></w:pPrChange></w:pPr>`,
  `${words('Bold.', `<w:b/><w:rPrChange ${by}><w:rPr><w:i/></w:rPr></w:rPrChange>`)}</w:p>`,
  `<w:tbl>${rowWith('', cellWith('', 'a') + cellWith(`<w:cellIns ${by}/>`, 'new cell') + cellWith(`<w:cellDel ${by}/>`, 'old cell'))}`,
  `${rowWith(`<w:ins ${by}/>`, cellWith('', 'new row'))}${rowWith(`<w:del ${by}/>`, cellWith('', 'old row'))}</w:tbl>`,
  `<w:tbl>${rowWith(`<w:del ${by}/>`, cellWith('', 'old table'))}</w:tbl>`,
  // The only paragraph of a cell, with its end.
  `<w:tbl><w:tr><w:tc><w:p><w:pPr><w:rPr><w:del ${by}/></w:rPr></w:pPr><w:del ${by}><w:r><w:delText>old text</w:delText><w:delInstrText>PAGE</w:delInstrText></w:r></w:del></w:p></w:tc></w:tr></w:tbl>`,
  `<w:p>${words('End.')}<w:r><a:moveTo/></w:r></w:p>`,
  `<w:sectPr><w:headerReference r:id="x"/><w:cols w:num="2"/><w:sectPrChange ${by}><w:sectPr><w:cols w:num="1"/></w:sectPr></w:sectPrChange></w:sectPr>`,
].join('')

test('moves, formats, rows and cells that were tracked are accepted and rejected too', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'in.docx'), await wordFile(revised))
  const look = async (name: string): Promise<string[]> => (await run(folder, 'docx/look', name)).trimEnd().split('\n')
  const [about = '', ...shown] = await look('in.docx')
  expect(JSON.parse(about)).toMatchObject({
    trackedChanges: [
      ...[{ movedFrom: 'Moved.' }, { movedTo: 'Moved.' }, { insertedCell: 'new cell' }, { deletedCell: 'old cell' }],
      ...[{ insertedRow: 'new row' }, { deletedRow: 'old row' }, { deletedRow: 'old table' }, { deleted: 'old text' }],
    ].map((one) => ({ ...one, by: 'Ana' })),
    trackedFormats: 3,
  })
  // What was moved is read once, in its new place.
  expect(shown.filter((line) => line.endsWith('Moved.'))).toEqual(['3 [Normal] Moved.'])

  const settled = async (how: string): Promise<{ texts: string[]; xml: string; count: unknown }> => {
    const { [how]: count } = JSON.parse(await run(folder, 'docx/settle', 'in.docx', `${how}.docx`, how.slice(0, -2)))
    const texts = (await look(`${how}.docx`)).slice(1).map((line) => line.replace(/^.*?\] ?/, ''))
    const zip = await JSZip.loadAsync(await readFile(join(folder, `${how}.docx`)))
    return { texts, count, xml: (await zip.file('word/document.xml')?.async('string')) ?? '' }
  }
  const accepted = await settled('accepted')
  expect(accepted.texts).toEqual(['Stays.', 'Moved.', 'Bold.', 'a', 'new cell', 'new row', '', 'End.'])
  expect(accepted.xml).toContain('<w:jc w:val="right"/><w:rPr/></w:pPr><w:r><w:rPr><w:b/></w:rPr>')
  expect(accepted.xml).toContain('<w:headerReference r:id="x"/><w:cols w:num="2"/></w:sectPr>')
  expect(accepted.xml.match(/<w:tbl>/g)).toHaveLength(2)
  const rejected = await settled('rejected')
  expect(rejected.texts).toEqual([
    'Moved.',
    'Stays.',
    'Bold.',
    'a',
    'old cell',
    'old row',
    'old table',
    'old text',
    'End.',
  ])
  expect(rejected.xml).toContain('<w:pStyle w:val="Old"/><w:rPr/></w:pPr><w:r><w:rPr><w:i/></w:rPr>')
  expect(rejected.xml).toContain('<w:headerReference r:id="x"/><w:cols w:num="1"/></w:sectPr>')
  expect(rejected.xml).toContain('<w:instrText xml:space="preserve">PAGE</w:instrText>')
  for (const { xml, count } of [accepted, rejected]) {
    expect(xml).toContain('<a:moveTo/>')
    expect(xml).not.toMatch(/<w:(ins\b|del|move|cell|\w+Change)/)
    expect(count).toBe(14)
  }
})

test('a template is filled in, and what it lacks is named', async () => {
  const folder = await scratch()
  const template = paragraph('Dear {{na', 'me}}, you owe {{amount}} until {{ date }}.')
  await writeFile(join(folder, 'in.docx'), await wordFile(template, { header: paragraph('{{name}}') }))
  await writeFile(join(folder, 'values.json'), JSON.stringify({ name: 'Ana & Co', amount: 12.5, other: 1 }))
  expect(JSON.parse(await run(folder, 'docx/fill', 'in.docx', 'out.docx', 'values.json'))).toEqual({
    ...{ file: 'out.docx', filled: expect.arrayContaining(['name', 'amount']) },
    ...{ noValueFor: ['date'], noPlaceFor: ['other'] },
  })
  const read = await readDocx(folder, 'out.docx')
  expect(read).toContain('Dear Ana & Co, you owe 12.5 until {{ date }}.')
  expect(read.match(/Ana & Co/g)).toHaveLength(2)
})
