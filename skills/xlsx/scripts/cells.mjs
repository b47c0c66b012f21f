import { readFile } from 'node:fs/promises'
import exceljs from 'exceljs'

export async function openBook(path) {
  const book = new exceljs.Workbook()
  await book.xlsx.load(await readFile(path))
  for (const sheet of book.worksheets) sheet.eachRow((row) => row.eachCell(unshare))
  return book
}

/** Cells that were filled down refer to the first one's formula. Each gets its own, so that it can be computed, and survives a change of the first. */
function unshare(cell) {
  const { shareType, sharedFormula, result } = cell.model
  if (shareType !== 'shared' && sharedFormula === undefined) return
  const first = sharedFormula === undefined ? cell : cell.worksheet.getCell(sharedFormula)
  if (first.formula) cell.value = { formula: slid(first.formula, first, cell), result }
}

/** A formula as it is after filling it from one cell into another; texts and names in quotes stay. */
function slid(formula, from, to) {
  const [down, right] = [to.row - from.row, Number(to.col) - Number(from.col)]
  const moved = (one, fixed, name) => {
    if (fixed !== '') return one
    return /\d/.test(name) ? String(Number(name) + down) : letters(columnOf(name) + right)
  }
  return formula.replace(
    /'[^']*'|"[^"]*"|\[[^\]]*\]|(?<![\w.$])(?:\$?[A-Za-z]{1,3}\$?\d{1,7}|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\w.(!])/g,
    (found) => (/^['"[]/.test(found) ? found : found.replace(/(\$?)([A-Za-z]+|\d+)/g, moved)),
  )
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

const columnOf = (name) => Array.from(name.toUpperCase()).reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0)
