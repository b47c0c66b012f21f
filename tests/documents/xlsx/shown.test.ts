import { expect, test } from 'vitest'
import { compile } from '../../../src/kit/documents/parsers/xlsx/format.ts'
import { parse, workbook } from './make.ts'

test('the address of a cell stands behind its text, when it leads somewhere', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('S')
    const links: [text: string, hyperlink: string][] = [
      ['Page | one', 'https://example.org/a?b=1&c=2'],
      ['ana@example.org', 'mailto:ana@example.org'],
      ['example.org', 'https://example.org/'],
      ['local', 'file:///etc/passwd'],
      ['script', 'javascript:alert(1)'],
      ['write', 'mailto:ana@example.org'],
      ['long', `https://example.org/${'x'.repeat(1000)}`],
    ]
    for (const [index, [text, hyperlink]] of links.entries()) sheet.getCell(index + 1, 1).value = { text, hyperlink }
    sheet.getCell('B1').value = { text: 'inside', hyperlink: "#'S'!A1" }
    sheet.getCell('C1').value = 3
  })
  const { parts } = await parse(file)
  expect(parts[0]?.text.split('\n').slice(2)).toEqual([
    '| 1 | Page \\| one (https://example.org/a?b=1&c=2) | inside | 3 |',
    '| 2 | ana@example.org |',
    '| 3 | example.org |',
    '| 4 | local |',
    '| 5 | script |',
    '| 6 | write (mailto:ana@example.org) |',
    '| 7 | long |',
  ])
})

test('tables and names of a workbook are named', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('S')
    const columns = [{ name: 'Team' }, { name: 'Cost' }]
    sheet.addTable({ name: 'Sales', ref: 'B2', columns, rows: [['a', 1]].concat([['b', 2]]) })
    made.definedNames.add('S!$C$3:$C$4', 'Costs')
  })
  const { notes, parts } = await parse(file)
  expect(notes.join(' ')).toContain('Tables: Sales (B2:C4).')
  expect(notes.join(' ')).toContain('Defined names: Costs: S!$C$3:$C$4')
  expect(parts[0]?.text).toContain('| 2 | Team | Cost |')
})

// 44381 is Sunday, 4 July 2021.
test.each([
  ['[$-407]d. mmmm yyyy', 44381, '4. Juli 2021'],
  ['[$-F800]dddd, mmmm dd, yyyy', 44381, 'Sunday, July 04, 2021'],
  ['[$-407]dddd, dd. mmm yy', 44381, 'Sonntag, 04. Jul 21'],
  ['[$-C07]mmmm', 44197, 'Jänner'],
  ['[$-40C]dddd d mmmm yyyy', 44381, 'dimanche 4 juillet 2021'],
  ['[$-419]d mmmm yyyy', 44381, '4 июля 2021'],
  ['[$-419]mmmm yyyy', 44381, 'июль 2021'],
  ['[$-1000415]d mmmm', 44381, '4 lipca'],
  ['[$-411]yyyy"年"mmmm', 44381, '2021年7月'],
  ['[$-ja-JP]d mmmm', 44381, '4 7月'],
  ['[$-de-DE]ddd mmmmm', 44381, 'So J'],
  ['[$-en-US,1]mmm', 44440, 'Sep'],
  ['[$-zz]ddd d mmm', 44381, 'Sun 4 Jul'],
  ['[$-7FFFFFFF]mmmm', 44381, 'July'],
  ['yyyy-mm-dd', 60, '1900-02-29'],
  ['d.m.yyyy h:mm', 60.5, '29.2.1900 12:00'],
  ['yyyy-mm-dd', 61, '1900-03-01'],
  ['yyyy-mm-dd', 59, '1900-02-28'],
])('%s shows %d as %s', (format, value, shown) => {
  expect(compile(format, false)(value)).toBe(shown)
})

test.each([
  ['[Red][<0]-0.0;0.0', -2.5, '-2.5'],
  ['[Red][<0]-0.0;0.0', 2.5, '2.5'],
  ['[<0](0.0);0.0', -2.5, '(2.5)'],
  ['[<0]0.0;0.0', -2.5, '-2.5'],
  ['[>=100]0;0.0', -5, '-5.0'],
  ['[>=0]0.0;-0.0', -5, '-5.0'],
  ['[<0]"- "0 "€";0 "€"', -5, '- 5 €'],
  ['0.0;-0.0', -2.5, '-2.5'],
  ['0.0;0.0', -2.5, '2.5'],
])('the sign of a format with parts: %s shows %d as %s', (format, value, shown) => {
  expect(compile(format, false)(value)).toBe(shown)
})
