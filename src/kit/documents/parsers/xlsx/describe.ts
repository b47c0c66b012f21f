import { columnLetters } from '../../cells.ts'
import { endMissing } from '../../parse.ts'
import type { Sheet } from './sheet.ts'
import type { SheetEntry } from './workbook.ts'

type Named = Pick<SheetEntry, 'name' | 'visibility'>

/** ` (hidden)` behind the name of a sheet that isn't shown. */
export const hiddenMark = ({ visibility }: Named): string => (visibility === 'visible' ? '' : ` (${visibility})`)

export const hiddenFlag = ({ visibility }: Named): { isHidden?: true } =>
  visibility === 'visible' ? {} : { isHidden: true }

/** Sentences about a sheet: how large it is, and what of it a person wouldn't see. */
export function describe(entry: Named, sheet: Sheet, hasDrawings = false): string {
  const { cells, hiddenRows, hiddenColumns, merged, uncalculated } = sheet
  const last = `${columnLetters(cells.lastColumn)}${cells.lastRow}`
  const size =
    cells.rowCount === 0
      ? hasDrawings
        ? 'has no cells with values, only what is drawn on it'
        : 'is empty'
      : `has ${counted(cells.rowCount, 'row')} and ${counted(cells.columnCount, 'column')} with values, as far as ${last}`
  const rest = [
    ...hiddenLines(hiddenRows, hiddenColumns),
    merged.length > 0 ? `Merged cells: ${listed(merged, 19)}.` : '',
    uncalculated > 0 ? `${counted(uncalculated, 'formula')} without a stored result: shown as written.` : '',
    sheet.isWhole ? '' : endMissing,
  ]
  return [`Sheet "${entry.name}"${hiddenMark(entry)} ${size}.`, ...rest].filter(Boolean).join(' ')
}

export const hiddenLines = (rows: number[], columns: string[]): string[] => [
  rows.length > 0 ? `Hidden rows: ${listed(ranges(rows), 20)}.` : '',
  columns.length > 0 ? `Hidden columns: ${listed(columns, 20)}.` : '',
]

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

export const listed = (list: string[], most: number, separator = ', '): string =>
  list.slice(0, most).join(separator) + (list.length > most ? ' and more' : '')

/** Numbers in order as `3`, `5–9`. */
function ranges(numbers: number[]): string[] {
  const found: { first: number; last: number }[] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last !== undefined && number === last.last + 1) last.last = number
    else found.push({ first: number, last: number })
  }
  return found.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`))
}
