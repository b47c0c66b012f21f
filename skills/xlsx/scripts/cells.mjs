import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import exceljs from 'exceljs'
import JSZip from 'jszip'

export async function openBook(path) {
  const book = new exceljs.Workbook()
  await book.xlsx.load(await withEmptyResults(await readFile(path)))
  for (const sheet of book.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (cell.model.result === emptyResult) cell.model.result = ''
        unshare(cell)
      }),
    )
  return book
}

/** A character that no text has. */
const emptyResult = '\u{f8fff}'

/** The cells whose formula has an empty text as its result. */
const emptyResults =
  /(<c\s[^>]*\bt="str"[^>]*>\s*<f(?:\s[^>]*)?(?:\/>|>[^<]*<\/f>)\s*)(?:<v(?:\s[^>]*)?\/>|<v(?:\s[^>]*)?><\/v>)/g

/** The library takes an empty text for no result at all, so it gets a character in its place. */
async function withEmptyResults(bytes) {
  const zip = await JSZip.loadAsync(bytes)
  let isChanged = false
  for (const file of zip.file(/^xl\/worksheets\/[^/]+\.xml$/)) {
    const xml = await file.async('string')
    const marked = xml.replace(emptyResults, `$1<v>${emptyResult}</v>`)
    if (marked === xml) continue
    zip.file(file.name, marked)
    isChanged = true
  }
  return isChanged ? zip.generateAsync({ type: 'nodebuffer' }) : bytes
}

/** Refuses a name that the workbook can't be written under. */
export function checkOut(out, original) {
  if (!/\.xlsx$/i.test(out))
    throw new Error(`${out}: ${/\.xlsm$/i.test(out) ? "macros don't survive, so " : ''}write an .xlsx`)
  if (resolve(out) === resolve(original)) throw new Error(`${out}: write to another file, so that the original stays`)
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
    /'[^']*'|"[^"]*"|\[[^\]]*\]|(?<![\p{L}\p{N}_.$])(?:\$?[A-Za-z]{1,3}\$?\d{1,7}|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\p{L}\p{N}_.(!])/gu,
    (found) => (/^['"[]/.test(found) ? found : found.replace(/(\$?)([A-Za-z]+|\d+)/g, moved)),
  )
}

/** The sheet of this name, or the first. */
export function sheetIn(book, name) {
  const sheet = name === undefined ? book.worksheets[0] : book.getWorksheet(name)
  if (sheet === undefined)
    throw new Error(`There is no sheet ${name}. There are: ${book.worksheets.map((one) => one.name).join(', ')}`)
  return sheet
}

/** `Sheet!A1:B2`, whole columns as `Sheet!A:B`, or the name of a whole sheet, as a sheet and its corners; a quoted name may contain anything. */
export function rangeIn(book, text) {
  const whole = book.getWorksheet(String(text))
  if (whole !== undefined) return { sheet: whole, top: 1, left: 1, bottom: whole.rowCount, right: whole.columnCount }
  const [, quoted, plain, cells] =
    /^(?:'((?:[^']|'')+)'!|([^!]+)!)?(\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}(?::\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3})$/.exec(
      text,
    ) ?? []
  const [from, to = from] = cells?.replaceAll('$', '').toUpperCase().split(':') ?? []
  // What isn't understood must not mean some other cells.
  if (from === undefined || [from, to].some((one) => rowOf(one) > 1_048_576))
    throw new Error(`${text} is no range, such as Sheet!A1:D20, and no sheet`)
  const sheet = sheetIn(book, quoted?.replaceAll("''", "'") ?? plain)
  const rows = [rowOf(from) || 1, rowOf(to) || sheet.rowCount]
  const columns = [from, to].map((one) => columnOf(one.replace(/\d+/, '')))
  return {
    sheet,
    top: Math.min(...rows),
    left: Math.min(...columns),
    bottom: Math.max(...rows),
    right: Math.max(...columns),
  }
}

/** A value as the JSON of these scripts has it, as Excel stores it. */
export function stored(value) {
  if (typeof value !== 'string') return value ?? null
  if (value.startsWith("'")) return value.slice(1)
  if (value.startsWith('=')) return { formula: value.slice(1) }
  return dateIn(value) ?? value
}

/** A date that there is: of February 30, JavaScript makes another day, and of a month 13 none. */
function dateIn(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(Number(date)) && date.toISOString().startsWith(text) ? date : undefined
}

/** What a cell shows as text, of a formula its result. Merged cells have the first one's value, but show it once. */
export function resultOf(cell) {
  if (cell.master !== cell) return ''
  return plain(cell.formula ? cell.result : cell.value)
}

/** A cell, for people: the formula and its last result. */
export function shown(cell) {
  const text = resultOf(cell)
  if (!cell.formula) return text
  return cell.result === undefined ? `=${cell.formula}` : `=${cell.formula} → ${text}`
}

function plain(value) {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  if (typeof value !== 'object') return value
  if (Array.isArray(value.richText)) return value.richText.map(({ text }) => text).join('')
  // The text of a link may have formats too.
  if (value.text !== undefined) return plain(value.text)
  return value.error ?? value.result ?? JSON.stringify(value)
}

/** The column's letters, from 1. */
export function letters(column) {
  let rest = column
  let text = ''
  for (; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(65 + ((rest - 1) % 26)) + text
  return text
}

const columnOf = (name) => Array.from(name.toUpperCase()).reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0)

/** The row of an address; 0 for whole columns. */
const rowOf = (address) => Number(address.replace(/\D+/, ''))
