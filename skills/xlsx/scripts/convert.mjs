import { isUtf8 } from 'node:buffer'
import { readFile, writeFile } from 'node:fs/promises'
import exceljs from 'exceljs'
import papaparse from 'papaparse'
import { checkOut, openBook, resultOf, sheetIn } from './cells.mjs'

const words = process.argv.slice(2)
const flag = words.indexOf('--encoding')
const [, given] = flag === -1 ? [] : words.splice(flag, 2)
const [path, out, name] = words
if (out === undefined || (flag !== -1 && given === undefined))
  throw new Error('Usage: convert.mjs in.csv out.xlsx [Sheet] [--encoding name], or in.xlsx out.csv [Sheet]')

/** What Excel writes where nothing says otherwise. */
function encodingOf(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** Undefined for what is to be found out. */
const delimiterOf = (file) => (/\.tsv$/i.test(file) ? '\t' : undefined)

/** Numbers become numbers, unless that would change what is seen, as with 007. The last 0 of 1.10 is kept by a format. */
function fill(cell, text) {
  const [found, decimals = ''] = /^-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,15}))?$/.exec(text) ?? []
  const number = Number(text)
  const same = String(number) === text
  const isNumber = found !== undefined && (same || number.toFixed(decimals.length) === text)
  cell.value = isNumber ? number : text
  if (isNumber && !same) cell.numFmt = `0.${'0'.repeat(decimals.length)}`
}

if (/\.[ct]sv$/i.test(path)) {
  checkOut(out, path)
  const bytes = await readFile(path)
  const encoding = given ?? encodingOf(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  const { data } = papaparse.parse(text, { skipEmptyLines: true, delimiter: delimiterOf(path) })
  const book = new exceljs.Workbook()
  const sheet = book.addWorksheet(name ?? 'Data', { views: [{ state: 'frozen', ySplit: 1 }] })
  for (const [down, row] of data.entries())
    for (const [at, one] of row.entries()) fill(sheet.getCell(down + 1, at + 1), one)
  sheet.getRow(1).font = { bold: true }
  await book.xlsx.writeFile(out)
  console.log(JSON.stringify({ file: out, rows: data.length, encoding }))
} else {
  if (!/\.[ct]sv$/i.test(out)) throw new Error(`${out}: write a .csv or .tsv`)
  const book = await openBook(path)
  const sheet = sheetIn(book, name)
  const rows = []
  sheet.eachRow({ includeEmpty: true }, (row) =>
    rows.push(Array.from({ length: sheet.columnCount }, (_, at) => resultOf(row.getCell(at + 1)))),
  )
  await writeFile(out, `${papaparse.unparse(rows, { newline: '\n', delimiter: delimiterOf(out) })}\n`)
  let emptyFormulas = 0
  sheet.eachRow((row) => row.eachCell((cell) => void (cell.formula && cell.result === undefined && emptyFormulas++)))
  console.log(
    JSON.stringify({ file: out, sheet: sheet.name, rows: rows.length, ...(emptyFormulas > 0 && { emptyFormulas }) }),
  )
}
