import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import JSZip from 'jszip'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import { shippedSkills } from '../../src/capabilities/skills/folders.ts'
import { isShipped } from '../../src/capabilities/skills/shipped-script.ts'
import { checkSkill } from '../../src/kit/skills/check.ts'
import { parse, workbook } from '../documents/xlsx/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

const all = readdirSync(shippedSkills)

test.each(all)('%s follows the specification, and names only scripts that it has', (name) => {
  const text = readFileSync(join(shippedSkills, name, 'SKILL.md'), 'utf8')
  const { facts, findings } = checkSkill(text, name)
  expect(findings).toEqual([])
  const named = Array.from(facts?.body.matchAll(/scripts\/[\w-]+\.mjs/g) ?? [], ([path]) => path)
  for (const path of new Set(named)) {
    const place = join(shippedSkills, name, path)
    expect(isShipped(`skills/${name}/${path}`, readFileSync(place, 'utf8')), path).toBe(true)
  }
  expect(isShipped(`skills/${name}/${named[0]}`, 'something else')).toBe(false)
})

/** What pdf.js, which isn't what writes them, reads on the pages. */
const textOf = (folder: string, name: string): Promise<string> => run(folder, 'pdf/text', name)

test('pdf: pages are made, joined, reordered, split, rotated and drawn', async () => {
  const folder = await scratch()
  await writeFile(
    join(folder, 'in.md'),
    '# Report\n\nSome **bold** words.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  )
  await run(folder, 'pdf/make', 'a.pdf', 'in.md')
  expect(await textOf(folder, 'a.pdf')).toMatch(/Report\s+Some bold words\.\s+• one\s+• two\s+a\s+b\s+1\s+2/)
  await writeFile(join(folder, 'two.md'), 'Second 你好')
  expect(await run(folder, 'pdf/make', 'b.pdf', 'two.md')).toContain('"charactersReplaced":2')

  await run(folder, 'pdf/merge', 'c.pdf', 'a.pdf', 'b.pdf', 'a.pdf#1')
  await run(folder, 'pdf/pages', 'c.pdf', 'd.pdf', '2,1')
  expect(await textOf(folder, 'd.pdf')).toMatch(/page 1\s+Second.*page 2\s+Report/s)
  expect(JSON.parse(await run(folder, 'pdf/split', 'c.pdf', 'part', '1-2', '3-'))).toEqual([
    { file: 'part-1.pdf', pages: 2 },
    { file: 'part-2.pdf', pages: 1 },
  ])
  await run(folder, 'pdf/rotate', 'c.pdf', 'e.pdf', '90', '2')
  const rotated = await PDFDocument.load(await readFile(join(folder, 'e.pdf')))
  expect(rotated.getPages().map((page) => page.getRotation().angle)).toEqual([0, 90, 0])
  await run(folder, 'pdf/images', 'a.pdf', 'page', '1', '300')
  const image = await readFile(join(folder, 'page-1.png'))
  expect(imageSize(image)).toMatchObject({ width: 300, height: 425, type: 'png' })
  await run(folder, 'pdf/pages', 'c.pdf', 'f.pdf', '2-1,3')
  expect(await textOf(folder, 'f.pdf')).toMatch(/page 1\s+Second.*page 2\s+Report.*page 3\s+Report/s)
  for (const others of ['9', '9-', '9-3', '1-9', '2-0'])
    expect(await failure(run(folder, 'pdf/pages', 'c.pdf', 'x.pdf', others))).toContain(
      `There are 3 pages; "${others}" asks for others`,
    )
})

test('pdf: a row of a table that is longer than a page goes on on the next, and too many columns are refused', async () => {
  const folder = await scratch()
  const words = Array.from({ length: 900 }, (_, place) => `w${place}`)
  const rows = ['| Name | Text |', '|---|---|', `| long | ${words.join(' ')} |`, '| last | row |']
  await writeFile(join(folder, 'in.md'), rows.join('\n'))
  await run(folder, 'pdf/make', 'a.pdf', 'in.md')
  const read = await textOf(folder, 'a.pdf')
  expect(read.match(/w\d+|last/g)).toEqual([...words, 'last'])
  const pdf = await PDFDocument.load(await readFile(join(folder, 'a.pdf')))
  expect(pdf.getPageCount()).toBeGreaterThan(2)

  await writeFile(join(folder, 'wide.md'), `|${' a |'.repeat(61)}\n`)
  expect(await failure(run(folder, 'pdf/make', 'b.pdf', 'wide.md'))).toContain(
    'A table of 61 columns is too wide for a page: make it an .xlsx file',
  )
  await writeFile(join(folder, 'word.md'), 'x'.repeat(20_000))
  await run(folder, 'pdf/make', 'c.pdf', 'word.md')
  expect((await textOf(folder, 'c.pdf')).match(/x/g)).toHaveLength(20_000)
})

test('pdf: a form is listed and filled in, and nothing is invented', async () => {
  const folder = await scratch()
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([300, 300])
  const form = pdf.getForm()
  form.createTextField('Name').addToPage(page, { x: 10, y: 250, width: 200, height: 20 })
  form.createCheckBox('Agree').addToPage(page, { x: 10, y: 200, width: 20, height: 20 })
  const country = form.createDropdown('Country')
  country.addOptions(['Austria', 'Chile'])
  country.addToPage(page, { x: 10, y: 150, width: 100, height: 20 })
  form.getField('Name').enableRequired()
  await writeFile(join(folder, 'form.pdf'), await pdf.save())

  expect(JSON.parse(await run(folder, 'pdf/info', 'form.pdf'))).toMatchObject({
    pages: 1,
    fields: [
      { name: 'Name', type: 'text', required: true, value: '' },
      { name: 'Agree', type: 'check box', value: false },
      { name: 'Country', type: 'choice', options: ['Austria', 'Chile'] },
    ],
  })
  const values = JSON.stringify({ Name: 'Ana Gómez', Agree: true, Country: 'Chile' })
  await run(folder, 'pdf/fill', 'form.pdf', 'full.pdf', values, '--flatten')
  expect(await textOf(folder, 'full.pdf')).toMatch(/Ana Gómez/)
  await run(folder, 'pdf/fill', 'form.pdf', 'open.pdf', values)
  const filled = (await PDFDocument.load(await readFile(join(folder, 'open.pdf')))).getForm()
  expect([filled.getCheckBox('Agree').isChecked(), filled.getDropdown('Country').getSelected()]).toEqual([
    true,
    ['Chile'],
  ])
  expect(await failure(run(folder, 'pdf/fill', 'form.pdf', 'x.pdf', '{"Nam":"x"}'))).toContain(
    'There are: Name, Agree, Country',
  )
  expect(await failure(run(folder, 'pdf/fill', 'form.pdf', 'x.pdf', '{"Country":"Peru"}'))).toContain('Austria, Chile')
  expect(await run(folder, 'pdf/fill', 'form.pdf', 'y.pdf', '{}')).toContain('"requiredButNotGiven":["Name"]')
})

const book = {
  title: 'Budget',
  sheets: [
    {
      name: 'Budget',
      columns: [
        { header: 'Item' },
        { header: 'Planned', format: '#,##0.00' },
        { header: 'Actual' },
        { header: 'Left' },
      ],
      rows: [
        ['Rent', 1200, 1200, '=B2-C2'],
        ['Travel', 400, 515.5, '=B3-C3'],
      ],
      totals: ['Total', '=SUM(B2:B3)', '=SUM(C2:C3)', '=B4-C4'],
      freeze: true,
      filter: true,
    },
    { name: 'More', rows: [["'=text", '=Budget!B4*2', '2027-03-31', '=MEDIAN(1,2)']] },
  ],
}

/** What our own parser, which isn't what writes them, reads in a workbook. */
const readDocument = async (path: string): Promise<string> =>
  (await parse(await readFile(path))).parts.map(({ text }) => text).join('\n')

const partOf = async (folder: string, name: string, part: string): Promise<string | undefined> =>
  (await JSZip.loadAsync(await readFile(join(folder, name)))).file(part)?.async('string')

test('xlsx: a workbook is made with formulas that are computed, changed, checked and turned into CSV', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'book.json'), JSON.stringify(book))
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  const read = await readDocument(join(folder, 'a.xlsx'))
  expect(read).toMatch(/Rent \| 1,?200(\.00)? \|/)
  expect(read).toMatch(/Total \| 1,?600/)
  expect(read).toMatch(/=text \| 3,?200/)

  const changes = [
    { set: 'Budget!B2', value: 1300 },
    { append: 'Budget', rows: [['Food', 1, 2, '=B5-C5']] },
    { style: 'Budget!A1:D1', italic: true, fill: 'FFEE00' },
    { addSheet: 'Notes', rows: [['by Bobbin']] },
  ]
  await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
  await run(folder, 'xlsx/edit', 'a.xlsx', 'b.xlsx', 'changes.json')
  const changed = await readDocument(join(folder, 'b.xlsx'))
  expect(changed).toMatch(/Total \| 1,?700/)
  expect(changed).toContain('by Bobbin')
  expect(await run(folder, 'xlsx/look', 'b.xlsx', 'Budget!A2:D2')).toBe(
    'A2: Rent | B2: 1300 | C2: 1200 | D2: =B2-C2 → 100\n',
  )
  expect(JSON.parse(await run(folder, 'xlsx/check', 'b.xlsx'))).toEqual({
    formulas: 8,
    problems: [],
    notComputed: { count: 1, first: ['More!D1'] },
  })

  await run(folder, 'xlsx/convert', 'b.xlsx', 'b.csv', 'Budget')
  expect(await readFile(join(folder, 'b.csv'), 'utf8')).toContain('Travel,400,515.5,-115.5\n')
  await writeFile(join(folder, 'ids.csv'), 'id,amount\n007,12.5\n')
  await run(folder, 'xlsx/convert', 'ids.csv', 'ids.xlsx')
  expect(await run(folder, 'xlsx/look', 'ids.xlsx', 'A2:B2')).toBe('A2: 007 | B2: 12.5\n')
})

test('xlsx: CSV in the encodings that Excel writes is converted, and tabs separate too', async () => {
  const folder = await scratch()
  const text = 'name;city\nJosé;Köln'
  const files = {
    'ansi.csv': Buffer.from(text, 'latin1'),
    'mark.csv': Buffer.from(`\ufeff${text}`),
    'wide.csv': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'tabs.tsv': Buffer.from('name\tcity\nJosé\tKöln, 50667; 1,2'),
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const converted = async (...words: string[]): Promise<unknown[]> => {
    const { encoding } = JSON.parse(await run(folder, 'xlsx/convert', ...words, 'out.xlsx'))
    return [encoding, await run(folder, 'xlsx/look', 'out.xlsx', 'A1:B2')]
  }
  const read = 'A1: name | B1: city\nA2: José | B2: Köln\n'
  expect(await converted('ansi.csv')).toEqual(['windows-1252', read])
  const cyrillic = read.replace('é', 'й').replace('ö', 'ц')
  expect(await converted('--encoding', 'windows-1251', 'ansi.csv')).toEqual(['windows-1251', cyrillic])
  expect(await converted('mark.csv')).toEqual(['utf-8', read])
  expect(await converted('wide.csv')).toEqual(['utf-16le', read])
  expect(await converted('tabs.tsv')).toEqual(['utf-8', read.replace('Köln', 'Köln, 50667; 1,2')])
  await run(folder, 'xlsx/convert', 'out.xlsx', 'back.tsv')
  expect(await readFile(join(folder, 'back.tsv'), 'utf8')).toBe(`${files['tabs.tsv']}\n`)
})

test('xlsx: broken formulas and unknown sheets are named', async () => {
  const folder = await scratch()
  const sheets = [{ name: 'A', rows: [['=Gone!B2', '=B2+#REF!']] }]
  await writeFile(join(folder, 'book.json'), JSON.stringify({ sheets }))
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  const { problems } = JSON.parse(await run(folder, 'xlsx/check', 'a.xlsx'))
  expect(problems.map(({ at }: { at: string }) => at)).toEqual(['A!A1', 'A!B1'])
  expect(await failure(run(folder, 'xlsx/look', 'a.xlsx', 'B!A1'))).toContain('There is no sheet B. There are: A')
})

test('xlsx: formulas that were filled down are computed anew, each on its own', async () => {
  const folder = await scratch()
  const filled = await workbook((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRows([['a'], [10, 1], [20, 2], [30, 3], [2, 1]])
    sheet.fillFormula('C2:C4', 'A2+B2', [11, 22, 33])
    sheet.getCell('D2').value = { formula: 'SUM(C2:C4)', result: 66 }
    // Its types don't know these.
    sheet.getCell('E2').value = Object.assign({ formula: 'A2:A3*2' }, { shareType: 'array', ref: 'E2:E3' })
    sheet.fillFormula('F2:G3', `IF($A2="Q1",SUM(A:A)-'Q1 x'!B$1,LOG10(2))`, [])
  })
  await writeFile(join(folder, 'a.xlsx'), filled)
  const edit = async (...changes: object[]): Promise<string> => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    await run(folder, 'xlsx/edit', 'a.xlsx', 'b.xlsx', 'changes.json')
    return run(folder, 'xlsx/look', 'b.xlsx', 'A!C2:D4')
  }
  const changed = 'C2: =A2+B2 → 11 | D2: =SUM(C2:C4) → 1066\nC3: =A3+B3 → 1022\nC4: =A4+B4 → 33\n'
  expect(await edit({ set: 'A!A3', value: 1020 })).toBe(changed)
  // The first one is what the others share.
  expect(await edit({ set: 'A!C2', value: 5 })).toBe('C2: 5 | D2: =SUM(C2:C4) → 60\nC3: =A3+B3 → 22\nC4: =A4+B4 → 33\n')
  expect(await partOf(folder, 'b.xlsx', 'xl/worksheets/sheet1.xml')).toMatch(/<f t="array" ref="E2:E3">A2:A3\*2<\/f>/)
  expect(await run(folder, 'xlsx/look', 'b.xlsx', 'A!G3')).toBe(`G3: =IF($A3="Q1",SUM(B:B)-'Q1 x'!C$1,LOG10(2))\n`)
})

test('xlsx: what only Excel computes right is left to it, and asked of it', async () => {
  const folder = await scratch()
  const dates = {
    name: 'D',
    rows: [
      ['2027-03-31', '2027-04-30', 7],
      ['=COUNT(A1:C1)', '=MAX(A1:C1)', '=MIN(A1:B1)'],
    ],
  }
  const cells = {
    name: 'C',
    rows: [
      ['text', null, 5],
      ['=COUNT(A1,B1,C1)', '=MIN(B1,C1)', '=1/(1/0)', '=MIN(1/0,5)'],
    ],
  }
  await writeFile(join(folder, 'book.json'), JSON.stringify({ sheets: [dates, cells] }))
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  expect(await run(folder, 'xlsx/look', 'a.xlsx', 'D!A2:C2')).toBe(
    'A2: =COUNT(A1:C1) | B2: =MAX(A1:C1) | C2: =MIN(A1:B1)\n',
  )
  expect(await run(folder, 'xlsx/look', 'a.xlsx', 'C!A2:D2')).toBe(
    'A2: =COUNT(A1,B1,C1) → 1 | B2: =MIN(B1,C1) → 5 | C2: =1/(1/0) | D2: =MIN(1/0,5)\n',
  )
  expect(await partOf(folder, 'a.xlsx', 'xl/workbook.xml')).toMatch(/<calcPr [^>]*fullCalcOnLoad="1"/)

  const failed = await workbook((made) => {
    made.addWorksheet('A').addRows([[{ error: '#N/A' }, 1, { richText: [{ text: 'a' }] }]])
  })
  await writeFile(join(folder, 'in.xlsx'), failed)
  const changes = [{ append: 'A', rows: [['=SUM(A1:B1)', '=COUNT(B1:C1)']] }]
  await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
  await run(folder, 'xlsx/edit', 'in.xlsx', 'b.xlsx', 'changes.json')
  expect(await run(folder, 'xlsx/look', 'b.xlsx', 'A!A2:B2')).toBe('A2: =SUM(A1:B1) | B2: =COUNT(B1:C1) → 1\n')
})

test('xlsx: the largest of very many numbers is computed', async () => {
  const folder = await scratch()
  const rows = Array.from({ length: 40 }, () => Array.from({ length: 100 }, (_, place) => place))
  const ranges = Array.from({ length: 50 }, () => 'A1:CV40').join(',')
  const sheets = [{ rows: [...rows, [`=MAX(${ranges})`, `=MIN(${ranges})`]] }]
  await writeFile(join(folder, 'book.json'), JSON.stringify({ sheets }))
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  expect(await run(folder, 'xlsx/look', 'a.xlsx', 'A41:B41')).toMatch(/→ 99 \| .* → 0\n/)
})
