import { readFile, writeFile } from 'node:fs/promises'
import { checkOut, openBook, rangeIn, sheetIn, stored } from './cells.mjs'
import { compute } from './compute.mjs'
import { lossesOf } from './losses.mjs'

const [path, out, changes] = process.argv.slice(2)
if (changes === undefined) throw new Error('Usage: edit.mjs in.xlsx out.xlsx changes.json')
checkOut(out, path)
const book = await openBook(path)

const appended = []

/** Of those that have a value; some only have a format. */
function lastRow(sheet) {
  let last = 0
  sheet.eachRow((row) =>
    row.eachCell(({ value }) => {
      if (value !== null) last = row.number
    }),
  )
  return last
}

/** In a workbook that was read, cells that look the same have one style: it is never changed, but each gets its own. */
function restyle(cell, changes) {
  cell.style = { ...cell.style, ...changes }
}

const steps = {
  set({ set, value, format }) {
    const { sheet, top, left, bottom, right } = rangeIn(book, set)
    if (top !== bottom || left !== right) throw new Error(`${set} is not one cell: set each on its own`)
    const cell = sheet.getCell(top, left)
    cell.value = stored(value)
    if (format !== undefined) restyle(cell, { numFmt: format })
  },
  append({ append, rows = [] }) {
    const sheet = sheetIn(book, append)
    const last = lastRow(sheet)
    // Cells below that only have a format keep it.
    for (const [down, row] of rows.entries())
      for (const [at, value] of row.entries()) sheet.getCell(last + 1 + down, at + 1).value = stored(value)
    appended.push({ sheet: sheet.name, rows: `${last + 1}-${last + rows.length}` })
  },
  style({ style, bold, italic, fill, format }) {
    const { sheet, top, left, bottom, right } = rangeIn(book, style)
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) {
        const cell = sheet.getCell(row, column)
        const letters = { ...(bold !== undefined && { bold }), ...(italic !== undefined && { italic }) }
        restyle(cell, {
          ...(Object.keys(letters).length > 0 && { font: { ...cell.font, ...letters } }),
          ...(fill !== undefined && { fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: `FF${fill}` } } }),
          ...(format !== undefined && { numFmt: format }),
        })
      }
  },
  addSheet({ addSheet, rows = [] }) {
    const sheet = book.addWorksheet(addSheet)
    for (const row of rows) sheet.addRow(row.map(stored))
  },
}

const list = JSON.parse(await readFile(changes, 'utf8'))
for (const change of list) {
  const kind = Object.keys(steps).find((name) => Object.hasOwn(change, name))
  if (kind === undefined)
    throw new Error(
      `I don't know this change: ${JSON.stringify(change)}. There are: ${Object.keys(steps).join(', ')}. ` +
        "Rows and columns can't be inserted or deleted, because formulas wouldn't follow: " +
        'append below the last row, or set the cells from there on anew, with their formulas.',
    )
  steps[kind](change)
}

// Results of before may be wrong now.
for (const sheet of book.worksheets)
  sheet.eachRow((row) =>
    row.eachCell((cell) => {
      const { formula, shareType, ref } = cell.model
      if (formula) cell.value = { formula, ...(shareType === 'array' && { shareType, ref }) }
    }),
  )
compute(book)
book.calcProperties.fullCalcOnLoad = true
const written = await book.xlsx.writeBuffer()
const lost = await lossesOf(await readFile(path), written)
await writeFile(out, written)
console.log(
  JSON.stringify({
    file: out,
    changes: list.length,
    ...(appended.length > 0 && { appended }),
    ...(lost.length > 0 && { mayBeLost: lost }),
  }),
)
