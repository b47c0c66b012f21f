import { readFile, writeFile } from 'node:fs/promises'
import exceljs from 'exceljs'
import papaparse from 'papaparse'
import { openBook, rangeIn } from './cells.mjs'

const [path, out, name] = process.argv.slice(2)
if (out === undefined) throw new Error('Usage: convert.mjs in.csv out.xlsx, or in.xlsx out.csv [Sheet]')

/** Numbers become numbers, unless that would change what is seen, as with 007. */
const typed = (text) => (/^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text)

function plain(cell) {
  const value = cell.formula ? cell.result : cell.value
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  if (typeof value !== 'object') return value
  return value.error ?? value.text ?? value.richText?.map(({ text }) => text).join('') ?? ''
}

if (/\.csv$/i.test(path)) {
  const { data } = papaparse.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''), { skipEmptyLines: true })
  const book = new exceljs.Workbook()
  const sheet = book.addWorksheet(name ?? 'Data', { views: [{ state: 'frozen', ySplit: 1 }] })
  for (const row of data) sheet.addRow(row.map(typed))
  sheet.getRow(1).font = { bold: true }
  await book.xlsx.writeFile(out)
  console.log(JSON.stringify({ file: out, rows: data.length }))
} else {
  const book = await openBook(path)
  const { sheet } = rangeIn(book, name === undefined ? '' : `'${name}'!A1`)
  const rows = []
  sheet.eachRow({ includeEmpty: true }, (row) =>
    rows.push(Array.from({ length: sheet.columnCount }, (_, at) => plain(row.getCell(at + 1)))),
  )
  await writeFile(out, `${papaparse.unparse(rows, { newline: '\n' })}\n`)
  console.log(JSON.stringify({ file: out, sheet: sheet.name, rows: rows.length }))
}
