import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ExcelJS from 'exceljs'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { shippedSkills } from '../../src/capabilities/skills/folders.ts'
import { workbook } from '../documents/xlsx/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

/** A folder with `a.xlsx`, as a common library writes it. */
async function folderWith(fill: (made: ExcelJS.Workbook) => void): Promise<string> {
  const folder = await scratch()
  await writeFile(join(folder, 'a.xlsx'), await workbook(fill))
  return folder
}

/** Changes `a.xlsx` into `b.xlsx`. */
async function edit(folder: string, ...changes: object[]): Promise<unknown> {
  await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
  return JSON.parse(await run(folder, 'xlsx/edit', 'a.xlsx', 'b.xlsx', 'changes.json'))
}

const look = (folder: string, ...words: string[]): Promise<string> => run(folder, 'xlsx/look', ...words)

test('a range is found however it is written, and what is none is refused', async () => {
  const folder = await folderWith((made) => {
    made.addWorksheet('First').addRow(['first'])
    made.addWorksheet('Notes').addRows([
      ['a', 1],
      ['b', 2],
    ])
    made.addWorksheet("Bob's").addRow(['bob'])
    made.addWorksheet('US$').addRow(['dollar'])
  })
  await edit(folder, { set: 'Notes!$B$2', value: 999 }, { append: "Bob's", rows: [['more']] })
  expect(await look(folder, 'b.xlsx', 'First')).toBe('A1: first\n')
  expect(await look(folder, 'b.xlsx', 'Notes')).toBe('A1: a | B1: 1\nA2: b | B2: 999\n')
  expect(await look(folder, 'b.xlsx', 'Notes!$B:b')).toBe('B1: 1\nB2: 999\n')
  expect(await look(folder, 'b.xlsx', "'Bob''s'!A1:A2")).toBe('A1: bob\nA2: more\n')
  expect(await look(folder, 'b.xlsx', 'US$!A1')).toBe('A1: dollar\n')
  await run(folder, 'xlsx/convert', 'b.xlsx', 'b.csv', "Bob's")
  expect(await readFile(join(folder, 'b.csv'), 'utf8')).toBe('bob\nmore\n')

  for (const none of ['Notes!A0', 'Nots', 'Notes!A1:B', 'Notes!A1048577'])
    expect(await failure(look(folder, 'a.xlsx', none)), none).toContain(`${none} is no range, such as Sheet!A1:D20`)
  expect(await failure(edit(folder, { append: 'B2', rows: [['x']] }))).toContain('There is no sheet B2')
  expect(await failure(edit(folder, { set: 'Notes!A1:B2', value: 1 }))).toContain('Notes!A1:B2 is not one cell')
})

test('rows are appended below the last value, and the examples of the skill add up', async () => {
  const folder = await scratch()
  const skill = await readFile(join(shippedSkills, 'xlsx', 'SKILL.md'), 'utf8')
  const [make = '', change = ''] = Array.from(skill.matchAll(/```json\n(.*?)```/gs), ([, block]) => block)
  await writeFile(join(folder, 'book.json'), make)
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  expect(await edit(folder, ...JSON.parse(change))).toMatchObject({ appended: [{ sheet: 'Budget', rows: '4-5' }] })
  expect(await look(folder, 'b.xlsx', 'Budget!A4:D5')).toBe(
    'A4: Food | B4: 300 | C4: 280 | D4: =C4-B4 → -20\n' +
      'A5: Total | B5: =SUM(B2:B4) → 1950 | C5: =SUM(C2:C4) → 1995.5 | D5: =SUM(D2:D4) → 45.5\n',
  )

  const bordered = await folderWith((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRow(['a'])
    for (const row of [2, 200]) sheet.getCell(row, 1).border = { top: { style: 'thin' } }
    made.addWorksheet('Empty')
  })
  const appended = await edit(bordered, { append: 'A', rows: [['b'], ['c']] }, { append: 'Empty', rows: [['d']] })
  expect(appended).toMatchObject({
    appended: [
      { sheet: 'A', rows: '2-3' },
      { sheet: 'Empty', rows: '1-1' },
    ],
  })
  const found = new ExcelJS.Workbook()
  await found.xlsx.readFile(join(bordered, 'b.xlsx'))
  expect(found.getWorksheet('A')?.getCell('A2')).toMatchObject({ value: 'b', border: { top: { style: 'thin' } } })
})

test('formatting a cell changes nothing else, neither of it nor of cells that looked the same', async () => {
  const folder = await folderWith((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRow([1, 2, 3])
    for (const at of ['A1', 'B1', 'C1']) sheet.getCell(at).font = { italic: true, size: 20 }
  })
  await edit(folder, { style: 'A!A1', bold: true, fill: 'FFEE00' }, { set: 'A!B1', value: 5, format: '0.00' })
  const found = new ExcelJS.Workbook()
  await found.xlsx.readFile(join(folder, 'b.xlsx'))
  const coloured = { fgColor: { argb: 'FFFFEE00' } }
  const styles = ['A1', 'B1', 'C1'].map((at) => found.getWorksheet('A')?.getCell(at).style)
  expect(styles).toMatchObject([
    { font: { bold: true, italic: true, size: 20 }, fill: coloured },
    { font: { italic: true }, numFmt: '0.00' },
    { font: { italic: true } },
  ])
  for (const other of [styles[1], styles[2]]) {
    expect(other?.font?.bold).toBeUndefined()
    expect(other?.fill).not.toMatchObject(coloured)
  }
  expect([styles[0]?.numFmt, styles[2]?.numFmt]).toEqual([undefined, undefined])
})

test('the check names what is wrong, what has no result yet, and nothing else', async () => {
  const folder = await scratch()
  const rows = [
    ['=Übersicht!B1', '="ok!"', `='Bob''s'!B1`, `='a"b'!A1&"Gone!"`, '=[1]Other!A1', `='[1]Other one'!A1`, '="#REF!"'],
    ['=A3/B1', '=1/Übersicht!C1', '=B2+1', `=SUM('Bob''s'!B1:C1)`, '=MEDIAN(1,2)', '=Gone!A1', "='Gone too'!A1"],
  ]
  const sheets = [
    { name: 'Übersicht', rows: [['x', 7]] },
    { name: "Bob's", rows: [['x', 8, 9]] },
    { name: 'a"b', rows: [['x']] },
    { name: 'A', rows },
  ]
  await writeFile(join(folder, 'book.json'), JSON.stringify({ sheets }))
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  expect(await look(folder, 'a.xlsx', 'A!A1')).toContain('→ 7')
  expect(await look(folder, 'a.xlsx', 'A!C1:D2')).toContain("D2: =SUM('Bob''s'!B1:C1) → 17")
  expect(JSON.parse(await run(folder, 'xlsx/check', 'a.xlsx'))).toEqual({
    formulas: 14,
    problems: [
      { at: 'A!B2', problem: 'it divides by zero: =1/Übersicht!C1' },
      { at: 'A!F2', problem: 'there is no sheet Gone: =Gone!A1' },
      { at: 'A!G2', problem: "there is no sheet Gone too: ='Gone too'!A1" },
    ],
    notComputed: {
      count: 11,
      first: ['B1', 'D1', 'E1', 'F1', 'G1', 'A2', 'B2', 'C2', 'E2', 'F2'].map((at) => `A!${at}`),
    },
  })
  expect(JSON.parse(await run(folder, 'xlsx/convert', 'a.xlsx', 'a.csv', 'A'))).toMatchObject({ emptyFormulas: 11 })
  expect(await run(folder, 'xlsx/convert', 'a.xlsx', 'a.csv', "Bob's")).not.toContain('emptyFormulas')
})

test('a formula whose result is an empty text has been computed', async () => {
  const folder = await folderWith((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRow([1, { formula: 'IF(A1>2,"high","")', result: '' }, { formula: 'A1&""' }])
  })
  const notComputed = { count: 1, first: ['A!C1'] }
  expect(JSON.parse(await run(folder, 'xlsx/check', 'a.xlsx'))).toEqual({ formulas: 2, problems: [], notComputed })
  expect(JSON.parse(await run(folder, 'xlsx/convert', 'a.xlsx', 'a.csv'))).toMatchObject({ emptyFormulas: 1 })
  expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('1,,\n')
})

test('a change that there isn’t is refused with those that there are, and a way to have a row in between', async () => {
  const folder = await folderWith((made) => void made.addWorksheet('A').addRow([1]))
  for (const change of [{ insertRow: 'A!2' }, { delete: 'A!1:1' }]) {
    const refused = await failure(edit(folder, change))
    expect(refused).toContain(
      `I don't know this change: ${JSON.stringify(change)}. There are: set, append, style, addSheet`,
    )
    expect(refused).toContain("Rows and columns can't be inserted or deleted")
  }
})

test('formulas that were filled down keep names with other letters than a to z', async () => {
  const folder = await folderWith((made) => {
    const sheet = made.addWorksheet('A')
    sheet.fillFormula('A1:A2', 'Größe1+B1+é1!C1', [])
  })
  expect(await look(folder, 'a.xlsx', 'A!A2')).toBe('A2: =Größe1+B2+é1!C2\n')
})

test('a merged cell counts and shows once, a formatted link is its text, and only real dates are dates', async () => {
  const folder = await folderWith((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRows([[10, null, 5], []])
    sheet.mergeCells('A1:B1')
    const link = { text: { richText: [{ text: 'our ' }, { text: 'page' }] }, hyperlink: 'https://example.com' }
    // Its types don't know these.
    sheet.getCell('C2').value = link as unknown as ExcelJS.CellHyperlinkValue
  })
  const changes = { append: 'A', rows: [['=SUM(A1:C1)', '=COUNT(A1:C1)', '=A1+B1']] }
  await edit(folder, changes, { append: 'A', rows: [['2027-13-01', '2027-02-30', '2028-02-29']] })
  expect(await look(folder, 'b.xlsx', 'A')).toBe(
    'A1: 10 | C1: 5\nC2: our page\nA3: =SUM(A1:C1) → 15 | B3: =COUNT(A1:C1) → 2 | C3: =A1+B1 → 10\n' +
      'A4: 2027-13-01 | B4: 2027-02-30 | C4: 2028-02-29\n',
  )
  await run(folder, 'xlsx/convert', 'b.xlsx', 'b.csv')
  expect(await readFile(join(folder, 'b.csv'), 'utf8')).toBe(
    '10,,5\n,,our page\n15,2,10\n2027-13-01,2027-02-30,2028-02-29\n',
  )
})

test('a look at a large range says what it leaves out', async () => {
  const folder = await folderWith((made) => {
    made.addWorksheet('A').getCell('DA600').value = 'last'
  })
  expect(await look(folder, 'a.xlsx', 'A')).toBe('Not shown: rows 501-600, columns CW-DA. Look at a smaller range.\n')
  expect(await look(folder, 'a.xlsx', 'A!B502:DA600')).toBe('Not shown: columns CX-DA. Look at a smaller range.\n')
  expect(await look(folder, 'a.xlsx', 'A!F501:DA600')).toBe('DA600: last\n')
})

test('numbers of CSV are numbers that look as they did, and text where they would not', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'in.csv'), 'a,b,c,d,e\n1.10,12.5,-0,0.12345678901234567890,-100\n')
  await run(folder, 'xlsx/convert', 'in.csv', 'a.xlsx')
  const found = new ExcelJS.Workbook()
  await found.xlsx.readFile(join(folder, 'a.xlsx'))
  const cells = ['A2', 'B2', 'C2', 'D2', 'E2'].map((at) => found.worksheets[0]?.getCell(at))
  expect(cells.map((cell) => [cell?.value, cell?.numFmt])).toEqual([
    [1.1, '0.00'],
    [12.5, undefined],
    ['-0', undefined],
    ['0.12345678901234567890', undefined],
    [-100, undefined],
  ])
})

test('the original stays, a workbook is an .xlsx, and what an edit loses is named', async () => {
  const folder = await folderWith((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRow(['a'])
    sheet.getCell('A1').note = 'kept'
    const png = Buffer.from('iVBORw0KGgo=', 'base64') as unknown as ExcelJS.Buffer
    sheet.addImage(made.addImage({ buffer: png, extension: 'png' }), 'B1:C2')
  })
  const path = join(folder, 'a.xlsx')
  expect(await edit(folder, { set: 'A!A1', value: 'b' })).not.toHaveProperty('mayBeLost')

  const zip = await JSZip.loadAsync(await readFile(path))
  const drawing = 'xl/drawings/drawing1.xml'
  const shape = '<xdr:twoCellAnchor><xdr:sp macro=""/></xdr:twoCellAnchor></xdr:wsDr>'
  zip.file(drawing, ((await zip.file(drawing)?.async('string')) ?? '').replace('</xdr:wsDr>', shape))
  const sheet = 'xl/worksheets/sheet1.xml'
  const sparklines = '<extLst><ext><x14:sparklineGroups/></ext></extLst></worksheet>'
  zip.file(sheet, ((await zip.file(sheet)?.async('string')) ?? '').replace('</worksheet>', sparklines))
  for (const part of ['threadedComments/threadedComment1', 'slicers/slicer1', 'externalLinks/externalLink1'])
    zip.file(`xl/${part}.xml`, '<a/>')
  await writeFile(path, await zip.generateAsync({ type: 'nodebuffer' }))
  const before = await readFile(path)
  expect(await edit(folder, { set: 'A!A1', value: 'b' })).toMatchObject({
    mayBeLost: ['comments in threads', 'slicers', 'links to other workbooks', 'text boxes and shapes', 'sparklines'],
  })

  const stays = 'write to another file, so that the original stays'
  const refused: [string, string, string][] = [
    ['a.xlsx', './a.xlsx', `./a.xlsx: ${stays}`],
    ['a.xlsx', 'b.xlsm', "b.xlsm: macros don't survive, so write an .xlsx"],
  ]
  for (const [from, to, message] of refused)
    expect(await failure(run(folder, 'xlsx/edit', from, to, 'changes.json'))).toContain(message)
  await writeFile(join(folder, 'in.csv'), 'a,b\n')
  expect(await failure(run(folder, 'xlsx/convert', 'in.csv', 'in.csv'))).toContain('in.csv: write an .xlsx')
  expect(await failure(run(folder, 'xlsx/convert', 'a.xlsx', 'a.xlsx'))).toContain('a.xlsx: write a .csv or .tsv')
  expect(await readFile(path)).toEqual(before)
})
