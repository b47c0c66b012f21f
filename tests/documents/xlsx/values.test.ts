import { expect, test } from 'vitest'
import { compile } from '../../../src/kit/documents/parsers/xlsx/format.ts'
import { moved } from '../../../src/kit/documents/parsers/xlsx/formulas.ts'
import { byHand, parse, sheetXml, workbook } from './make.ts'

test('values read as the sheet shows them', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('Kosten')
    sheet.addRow(['Posten', 'Betrag', 'Anteil', 'Tag', 'Offen'])
    sheet.addRow(['Miete | warm', 1234.5, 0.256, new Date(Date.UTC(2026, 2, 1)), true])
    sheet.getCell('B2').numFmt = '#,##0.00 "€"'
    sheet.getCell('C2').numFmt = '0.0%'
    sheet.getCell('D2').numFmt = 'yyyy-mm-dd'
    sheet.getCell('A4').value = { richText: [{ text: 'zwei ' }, { font: { bold: true }, text: 'Teile' }] }
    sheet.getCell('B4').value = { formula: 'SUM(B2:B3)', result: 1234.5 }
    sheet.getCell('C4').value = { error: '#DIV/0!' }
    sheet.getCell('A5').value = { text: 'Seite', hyperlink: 'https://example.org' }
    sheet.getCell('A6').value = 'erste\nzweite'
    sheet.getCell('A7').value = 'Titel'
    sheet.mergeCells('A7:C8')
    sheet.getCell('B2').note = 'Stimmt das?'
  })
  const { parts } = await parse(file)
  expect(parts).toMatchObject([{ unit: 'sheet', number: 1, name: 'Kosten', formulas: 'B4: =SUM(B2:B3)' }])
  expect(parts[0]?.text).toBe(
    [
      '| | A | B | C | D | E |',
      '| --- | --- | --- | --- | --- | --- |',
      '| 1 | Posten | Betrag | Anteil | Tag | Offen |',
      '| 2 | Miete \\| warm | 1,234.50 € | 25.6% | 2026-03-01 | TRUE |',
      '| 4 | zwei Teile | 1234.5 | #DIV/0! |',
      '| 5 | Seite (https://example.org) |',
      '| 6 | erste<br>zweite |',
      '| 7 | Titel |',
      '',
      'Comments:',
      '- B2: Stimmt das?',
    ].join('\n'),
  )
})

test('dates of a workbook that counts from 1904 are meant as they are shown', async () => {
  const file = await workbook((made) => {
    made.properties.date1904 = true
    const sheet = made.addWorksheet('S')
    sheet.addRow([new Date(Date.UTC(2026, 2, 1))])
    sheet.getCell('A1').numFmt = 'dd.mm.yyyy'
  })
  const { parts, notes } = await parse(file)
  expect(parts[0]?.text).toContain('| 1 | 01.03.2026 |')
  expect(notes.join(' ')).toContain('1904')
})

test('what a person would not see is read and named', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('Open')
    sheet.addRow(['a', 'b', 'c'])
    sheet.addRow(['d'])
    sheet.getRow(2).hidden = true
    sheet.getColumn(3).hidden = true
    made.addWorksheet('Hidden', { state: 'hidden' }).addRow(['secret'])
    made.addWorksheet('Deep', { state: 'veryHidden' }).addRow(['deeper'])
  })
  const { parts, notes } = await parse(file)
  expect(parts.map(({ text }) => text).join()).toMatch(/d.*secret.*deeper/s)
  expect(parts.map(({ isHidden }) => isHidden)).toEqual([undefined, true, true])
  expect(notes).toEqual([
    'Sheet "Open" has 2 rows and 3 columns with values, as far as C2. Hidden rows: 2. Hidden columns: C.',
    'Sheet "Hidden" (hidden) has 1 row and 1 column with values, as far as A1.',
    'Sheet "Deep" (very hidden) has 1 row and 1 column with values, as far as A1.',
  ])
})

test('shared formulas are written out, and one without a result stands for itself', async () => {
  const rows = `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*$C$1&amp;"A1"</f><v>2</v></c></row>
    <row r="2"><c r="B2"><f t="shared" si="0"/><v>4</v></c></row><row r="3"><c r="B3"><f>NOW()</f></c></row>`
  const { parts, notes } = await parse(await byHand({ sheets: [{ name: 'S', xml: sheetXml(rows) }] }))
  expect(parts[0]?.formulas).toBe('B1: =A1*$C$1&"A1"\nB2: =A2*$C$1&"A1"\nB3: =NOW()')
  expect(parts[0]?.text).toContain('| 3 |  | =NOW() |')
  expect(notes[0]).toContain('1 formula without a stored result')
})

test('a formula moves with its cell', () => {
  const from = { row: 2, column: 2 }
  const to = { row: 4, column: 3 }
  expect(moved("SUM(A1:$B$2)+'A1 b'!C3+LOG10(D4)+A:A+1:1+Tax_A1", from, to)).toBe(
    "SUM(B3:$B$2)+'A1 b'!D5+LOG10(E6)+B:B+3:3+Tax_A1",
  )
  expect(moved('A1', { row: 2, column: 2 }, { row: 1, column: 1 })).toBe('#REF!#REF!')
})

test.each([
  ['yyyy-mm-dd hh:mm:ss', 46082.999999, '2026-03-02 00:00:00'],
  ['dddd, mmmm d, yyyy', 46082, 'Sunday, March 1, 2026'],
  ['d-mmm-yy', 46082, '1-Mar-26'],
  ['h:mm AM/PM', 0.75, '6:00 PM'],
  ['[h]:mm:ss', 1.5, '36:00:00'],
  ['yyyy"年"m"月"d"日"', 46082, '2026年3月1日'],
  ['yyyy-mm-dd', 59, '1900-02-28'],
  ['0.00', 1.005, '1.01'],
  ['#,##0', 1234567.8, '1,234,568'],
  ['$#,##0;[Red]($#,##0)', -1234, '($1,234)'],
  ['#,##0.00\\ [$€-407]', 1234.5, '1,234.50 €'],
  ['_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', 0, '-'],
  ['0.00E+00', 0.00012, '1.20E-04'],
  ['# ??/??', 1.5, '1 1/2'],
  ['# ?/?', 1.5, '1 1/2'],
  ['# ?/4', 2.25, '2 1/4'],
  ['# ?/4', -2.25, '-2 1/4'],
  ['# ??/16', 1.5, '1 8/16'],
  ['# ?/8', 0.375, '3/8'],
  ['?/8', 1.375, '11/8'],
  ['# ?/2', 3.5, '3 1/2'],
  ['# ?/2', 3, '3'],
  ['# ?/10', 0.3, '3/10'],
  ['# ??/30', 1.1, '1 3/30'],
  ['# ??/32', 0.15625, '5/32'],
  ['# ???/105', 2.2, '2 21/105'],
  ['# ???/100', 0.25, '25/100'],
  ['# ?/4" cups"', 0.75, '3/4 cups'],
  ['# ?/4;(# ?/4)', -0.75, '(3/4)'],
  ['#,##0" €/100 g"', 1234, '1,234 €/100 g'],
  ['000-00-0000', 123456789, '123-45-6789'],
  ['0.0,,"M"', 1234567, '1.2M'],
  ['[>=1000]#,##0;0.0', 500, '500.0'],
  [';;;', 5, '5'],
  ['General', 0.1 + 0.2, '0.3'],
  ['General', 123456789012, '123456789012'],
])('%s shows %d as %s', (format, value, shown) => {
  expect(compile(format, false)(value)).toBe(shown)
})
