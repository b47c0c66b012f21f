import { readFile } from 'node:fs/promises'
import exceljs from 'exceljs'
import { checkOut, stored } from './cells.mjs'
import { compute } from './compute.mjs'

const [out, path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: make.mjs out.xlsx book.json')
checkOut(out, path)

const { title, sheets = [] } = JSON.parse(await readFile(path, 'utf8'))
if (sheets.length === 0) throw new Error('The book has no sheets')
const book = new exceljs.Workbook()
book.creator = 'Bobbin'
if (title !== undefined) book.title = String(title)

const widthFor = (column, place, rows) => {
  if (column.width !== undefined) return column.width
  const texts = [column.header ?? '', ...rows.slice(0, 500).map((row) => row[place] ?? '')].map(String)
  return Math.min(60, Math.max(8, ...texts.filter((text) => !text.startsWith('=')).map((text) => text.length + 2)))
}

for (const [
  place,
  { name = `Sheet${place + 1}`, columns = [], rows = [], totals, freeze, filter },
] of sheets.entries()) {
  const sheet = book.addWorksheet(name, freeze && columns.length > 0 ? { views: [{ state: 'frozen', ySplit: 1 }] } : {})
  if (columns.length > 0) {
    const header = sheet.addRow(columns.map((column) => column.header ?? ''))
    header.font = { bold: true }
    header.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFDDEBF7' } }
  }
  for (const row of rows) sheet.addRow(row.map(stored))
  if (totals !== undefined) {
    const row = sheet.addRow(totals.map(stored))
    row.font = { bold: true }
    row.eachCell((cell) => {
      cell.border = { top: { style: 'thin' } }
    })
  }
  for (const [at, column] of columns.entries()) {
    sheet.getColumn(at + 1).width = widthFor(column, at, rows)
    if (column.format !== undefined) sheet.getColumn(at + 1).numFmt = column.format
  }
  if (filter && columns.length > 0)
    sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1 + rows.length, column: columns.length } }
}
compute(book)
book.calcProperties.fullCalcOnLoad = true
await book.xlsx.writeFile(out)
console.log(
  JSON.stringify({ file: out, sheets: book.worksheets.map(({ name, rowCount }) => ({ name, rows: rowCount })) }),
)
