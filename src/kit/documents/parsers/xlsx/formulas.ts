import { columnLetters, columnNumber, maxColumns, maxRows } from '../../cells.ts'

interface Place {
  row: number
  column: number
}

/** Text, a sheet's quoted name, a reference (A1, A:B or 1:2), a word; everything between stays. */
const pieces =
  /"[^"]*"?|'[^']*'?|(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w.(])|(\$?)([A-Z]{1,3}):(\$?)([A-Z]{1,3})(?![\w.(])|(\$?)(\d{1,7}):(\$?)(\d{1,7})(?![\w.(])|[\w.]+/gi

/** A shared formula as it reads in `to`, if it was written in `from`: its relative references move along. */
export function moved(formula: string, from: Place, to: Place): string {
  const rows = to.row - from.row
  const columns = to.column - from.column
  const column = (fixed: string | undefined, letters: string): string => {
    if (fixed === '$') return `$${letters}`
    const number = columnNumber(letters) + columns
    return number >= 1 && number <= maxColumns ? columnLetters(number) : '#REF!'
  }
  const row = (fixed: string | undefined, digits: string): string => {
    if (fixed === '$') return `$${digits}`
    const number = Number(digits) + rows
    return number >= 1 && number <= maxRows ? String(number) : '#REF!'
  }
  return formula.replace(pieces, (whole, ...groups: (string | undefined)[]) => {
    const [fixedColumn, letters, fixedRow, digits] = groups
    if (letters !== undefined && digits !== undefined) return column(fixedColumn, letters) + row(fixedRow, digits)
    const [, , , , fixedFirst, first, fixedLast, last] = groups
    if (first !== undefined && last !== undefined) return `${column(fixedFirst, first)}:${column(fixedLast, last)}`
    const [, , , , , , , , fixedTop, top, fixedBottom, bottom] = groups
    if (top !== undefined && bottom !== undefined) return `${row(fixedTop, top)}:${row(fixedBottom, bottom)}`
    return whole
  })
}
