import { columnAt, type Gap } from './gaps.ts'
import type { Row } from './row.ts'

/** Fewer cells of several lines are no evidence. */
const leastCells = 2

/** In type sizes: how far the middle of a cell's lines may be from the cell beside it. */
const tolerance = 0.15

/** How much further apart cells are than lines within them. */
const leastStep = 1.1

/** No page has more, and comparing them would take long. */
const mostRows = 300

/** The lines of a column or of a cell: their baselines, from top to bottom. */
type Lines = number[]

/**
 * Whether the lines of some column stand in the middle of several lines in the others, with more space between those
 * groups than between their lines: a table whose rows hardly share a baseline. Running text never does this.
 */
export function areCentred(rows: Row[], gaps: Gap[]): boolean {
  if (rows.length > mostRows) return false
  const columns: Lines[] = Array.from({ length: gaps.length + 1 }, () => [])
  for (const row of rows) {
    const filled = new Set(row.runs.map((run) => columnAt(gaps, (run.left + run.right) / 2)))
    for (const column of filled) columns[column]?.push(row.baseline)
  }
  const size = rows[0]?.size ?? 0
  const cells = columns.map(cellsOf)
  if (!cells.some((column) => column.filter((cell) => cell.length > 1).length >= leastCells)) return false
  return columns.some((keys) => {
    const isAround = ([first = 0, ...others]: Lines): boolean => isKey((first + (others.at(-1) ?? first)) / 2)
    const isKey = (place: number): boolean => keys.some((key) => Math.abs(key - place) <= tolerance * size)
    return columns.every((column, index) => column.every(isKey) || cells[index]?.every(isAround))
  })
}

function cellsOf(lines: Lines): Lines[] {
  const step = lines
    .slice(1)
    .reduce((least, line, index) => Math.min(least, line - (lines[index] ?? 0)), Number.POSITIVE_INFINITY)
  const cells: Lines[] = []
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line - (lines[index - 1] ?? 0) > leastStep * step) cells.push([line])
    else cells.at(-1)?.push(line)
  }
  return cells
}
