import exceljs from 'exceljs'
import type { Mark, Sample, Table } from '../sample.ts'
import { textsOf } from '../sample.ts'
import { type Story, storyOf } from '../texts.ts'

/** Workbooks as a common library writes them; what a cell shows is what Excel would show. */
export async function xlsxSamples(stories: Map<string, Story>): Promise<Sample[]> {
  const english = storyOf(stories, 'en')
  const chinese = storyOf(stories, 'zh')
  return Promise.all([formats(), calculated(), sheets(english, chinese), merged(english)])
}

async function xlsx(
  feature: string,
  fill: (workbook: exceljs.Workbook) => { tables: Table[]; marks?: Mark[] },
): Promise<Sample> {
  const workbook = new exceljs.Workbook()
  const made = fill(workbook)
  const bytes = new Uint8Array(await workbook.xlsx.writeBuffer())
  return { kind: 'xlsx', feature, name: 'sample.xlsx', bytes, blocks: textsOf(made.tables), ordered: [], ...made }
}

const day = (text: string) => new Date(`${text}T00:00:00Z`)

/** Value, format, and what Excel shows. */
const shown: [exceljs.CellValue, string, string][] = [
  [day('2024-02-29'), 'yyyy-mm-dd', '2024-02-29'],
  [day('1999-12-31'), 'dd.mm.yyyy', '31.12.1999'],
  [day('2021-07-04'), 'd mmmm yyyy', '4 July 2021'],
  [day('2021-07-04'), 'ddd, mmm d', 'Sun, Jul 4'],
  [new Date('2023-03-05T14:07:09Z'), 'yyyy-mm-dd hh:mm:ss', '2023-03-05 14:07:09'],
  [new Date('2023-03-05T14:07:00Z'), 'h:mm AM/PM', '2:07 PM'],
  [31, 'yyyy-mm-dd', '1900-01-31'],
  [60, 'yyyy-mm-dd', '1900-02-29'],
  [1.5, '[h]:mm', '36:00'],
  [1234567.891, '#,##0.00', '1,234,567.89'],
  [-1234.5, '#,##0.00;(#,##0.00)', '(1,234.50)'],
  [0.256, '0.0%', '25.6%'],
  [12500, '"EUR "#,##0', 'EUR 12,500'],
  [1234.5, '#,##0.00 "€"', '1,234.50 €'],
  [42, '00000', '00042'],
  [1234567, '0.00E+00', '1.23E+06'],
  [0.375, '# ?/?', '3/8'],
  [2_500_000, '#,##0.0,,"M"', '2.5M'],
  [0.1 + 0.2, 'General', '0.3'],
  [123456789012345, '0', '123456789012345'],
  [0, '0;-0;"none"', 'none'],
  [1234.5, '_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-', '1,234.50 €'],
  [1234.5, '[$€-407] #,##0.00', '€ 1,234.50'],
  [day('2021-07-04'), '[$-407]d. mmmm yyyy', '4. Juli 2021'],
  [-2.5, '[Blue]0.0;[Red]-0.0', '-2.5'],
  [2500, '[>=1000]#,##0.0,"k";0', '2.5k'],
  [0.125, '0%', '13%'],
  [1e21, 'General', '1E+21'],
  [-0.004, '0.00', '0.00'],
  [true, 'General', 'TRUE'],
  ['00123', '@', '00123'],
]

const formats = () =>
  xlsx('dates and formats', (workbook) => {
    const sheet = workbook.addWorksheet('Formats')
    for (const [value, numFmt] of shown) {
      const row = sheet.addRow([numFmt, value])
      row.getCell(2).numFmt = numFmt
    }
    return { tables: [{ sheet: 'Formats', rows: shown.map(([, format, text]) => [format, text]) }] }
  })

/** Formulas with the results that were stored, and errors. */
const calculated = () =>
  xlsx('formulas and errors', (workbook) => {
    const sheet = workbook.addWorksheet('Sums')
    const values = [17, 4.5, 120]
    for (const value of values) sheet.addRow([`Item ${value}`, value])
    const sum = values.reduce((total, value) => total + value, 0)
    sheet.addRow(['Sum', { formula: 'SUM(B1:B3)', result: sum }])
    sheet.addRow(['Text', { formula: 'A1&" twice"', result: 'Item 17 twice' }])
    sheet.addRow(['Division', { formula: 'B1/0', result: { error: '#DIV/0!' } }])
    sheet.addRow(['Missing', { error: '#N/A' }])
    const rows = [
      ...values.map((value) => [`Item ${value}`, String(value)]),
      ['Sum', String(sum)],
      ['Text', 'Item 17 twice'],
      ['Division', '#DIV/0!'],
      ['Missing', '#N/A'],
    ]
    const formulas = ['B4: =SUM(B1:B3)', 'B5: =A1&" twice"', 'B6: =B1/0']
    return {
      tables: [{ sheet: 'Sums', rows }],
      marks: formulas.map((text) => ({ kind: 'formulas', text })),
    }
  })

/** Three sheets, one of them hidden; one begins away from the corner; a link and a comment. */
const sheets = (english: Story, chinese: Story) =>
  xlsx('3 sheets, hidden, link, comment', (workbook) => {
    workbook.addWorksheet('Plan').addRows(english.table)
    const secret = workbook.addWorksheet('Secret', { state: 'hidden' })
    secret.addRows(chinese.table)
    const away = workbook.addWorksheet('计划')
    const [text, address, remark] = ['a | b', 'https://example.org/?a=1&b=2', english.sections[0]?.paragraphs[0] ?? '']
    away.getCell('C4').value = text
    away.getCell('E9').value = { text: 'site', hyperlink: address }
    away.getCell('C4').note = remark
    const rows = Array.from({ length: 9 }, (_, row) =>
      row === 3 ? ['', '', text] : row === 8 ? ['', '', '', '', 'site'] : [],
    )
    return {
      tables: [
        { sheet: 'Plan', rows: english.table },
        { sheet: 'Secret', rows: chinese.table },
        { sheet: '计划', rows },
      ],
      marks: [
        { kind: 'hidden', text: 'Secret' },
        { kind: 'comments', text: remark },
        { kind: 'links', text: address },
      ],
    }
  })

const merged = ({ table }: Story) =>
  xlsx('merged cells, rich text', (workbook) => {
    const [head = [], row = []] = table
    const sheet = workbook.addWorksheet('Merged')
    sheet.mergeCells('A1:C1')
    sheet.getCell('A1').value = head[0] ?? ''
    sheet.mergeCells('A2:A4')
    sheet.getCell('A2').value = row[0] ?? ''
    sheet.getCell('B2').value = { richText: [{ text: 'two ', font: { bold: true } }, { text: 'pieces' }] }
    sheet.getCell('C3').value = 'two\nlines'
    const rows = [
      [head[0] ?? '', null, null],
      [row[0] ?? '', 'two pieces', ''],
      [null, '', 'two lines'],
    ]
    return {
      tables: [{ sheet: 'Merged', rows }],
      marks: ['A1:C1', 'A2:A4'].map((text) => ({ kind: 'facts', text })),
    }
  })
