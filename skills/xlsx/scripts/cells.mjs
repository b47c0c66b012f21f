import { readFile } from 'node:fs/promises'
import exceljs from 'exceljs'

export async function openBook(path) {
  const book = new exceljs.Workbook()
  await book.xlsx.load(await readFile(path))
  return book
}

/** `Sheet!A1:B2` as a sheet and its corners; a quoted name may contain anything. */
export function rangeIn(book, text) {
  const [, quoted, plain, from, to = from] =
    /^(?:'([^']+)'!|([^!]+)!)?(?:([A-Za-z]{1,3}\d{1,7})(?::([A-Za-z]{1,3}\d{1,7}))?)?$/.exec(text) ?? []
  const name = quoted ?? plain
  const sheet = name === undefined ? book.worksheets[0] : book.getWorksheet(name)
  if (sheet === undefined)
    throw new Error(`There is no sheet ${name}. There are: ${book.worksheets.map((one) => one.name).join(', ')}`)
  if (from === undefined) return { sheet, top: 1, left: 1, bottom: sheet.rowCount, right: sheet.columnCount }
  const [first, last] = [sheet.getCell(from.toUpperCase()), sheet.getCell(to.toUpperCase())]
  return {
    sheet,
    top: Math.min(first.row, last.row),
    left: Math.min(Number(first.col), Number(last.col)),
    bottom: Math.max(first.row, last.row),
    right: Math.max(Number(first.col), Number(last.col)),
  }
}

/** A value as the JSON of these scripts has it, as Excel stores it. */
export function stored(value) {
  if (typeof value !== 'string') return value ?? null
  if (value.startsWith("'")) return value.slice(1)
  if (value.startsWith('=')) return { formula: value.slice(1) }
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return new Date(`${value}T00:00:00Z`)
  return value
}

/** A cell, for people: the formula and its last result. */
export function shown(cell) {
  if (cell.formula !== undefined && cell.formula !== null) {
    const result = cell.result?.error ?? cell.result
    return result === undefined ? `=${cell.formula}` : `=${cell.formula} → ${plain(result)}`
  }
  return plain(cell.value)
}

function plain(value) {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  if (typeof value !== 'object') return value
  if (Array.isArray(value.richText)) return value.richText.map(({ text }) => text).join('')
  return value.error ?? value.text ?? value.result ?? JSON.stringify(value)
}

/** The column's letters, from 1. */
export function letters(column) {
  let rest = column
  let text = ''
  for (; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(65 + ((rest - 1) % 26)) + text
  return text
}
