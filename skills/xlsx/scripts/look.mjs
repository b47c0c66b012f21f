import { letters, openBook, rangeIn, shown } from './cells.mjs'

const [path, range] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: look.mjs in.xlsx [Sheet!A1:D20]')
const book = await openBook(path)

if (range === undefined) {
  const sheets = book.worksheets.map((sheet) => {
    let formulas = 0
    sheet.eachRow((row) => row.eachCell((cell) => void (cell.formula && formulas++)))
    const { name, rowCount, columnCount, state } = sheet
    return { name, rows: rowCount, columns: columnCount, formulas, ...(state !== 'visible' && { state }) }
  })
  console.log(JSON.stringify({ title: book.title ?? '', sheets }, undefined, 1))
} else {
  const { sheet, top, left, bottom, right } = rangeIn(book, range)
  const [lastRow, lastColumn] = [Math.min(bottom, top + 499), Math.min(right, left + 99)]
  for (let row = top; row <= lastRow; row++) {
    const cells = []
    for (let column = left; column <= lastColumn; column++) {
      const value = shown(sheet.getCell(row, column))
      if (value !== '') cells.push(`${letters(column)}${row}: ${value}`)
    }
    if (cells.length > 0) console.log(cells.join(' | '))
  }
  const missing = [
    bottom > lastRow ? `rows ${lastRow + 1}-${bottom}` : [],
    right > lastColumn ? `columns ${letters(lastColumn + 1)}-${letters(right)}` : [],
  ].flat()
  if (missing.length > 0) console.log(`Not shown: ${missing.join(', ')}. Look at a smaller range.`)
}
