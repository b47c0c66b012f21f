import type { Cells } from './cells.ts'
import { isProse } from './cells.ts'
import { joinLines } from './characters.ts'
import { type GridLines, isSide } from './grid-lines.ts'
import { linesOf } from './lines.ts'
import { isRightToLeft, type Row, rowsOf, segmentsOf, textOf } from './row.ts'
import type { Run } from './run.ts'

/** A cell with its lines: the column and band in which it begins. */
interface Cell {
  column: number
  /** Behind its last column. */
  end: number
  band: number
  lines: Row[]
}

/**
 * The rows of a table whose lines are drawn, each with its cells. Undefined if what stands between them is no table.
 */
export function ruledRows(
  grid: GridLines,
  runs: readonly Run[],
): { rows: string[][]; isReversed: boolean } | undefined {
  const cells = cellsOf(grid, runs)
  const rows = rowsOf([...runs])
  const isReversed = rows.filter(isRightToLeft).length * 2 > rows.length
  const texts: string[][] = []
  for (let band = 0; band + 1 < grid.ys.length; band++) {
    const here = cells.filter((cell) => cell.band === band)
    for (const row of bandRows(here, grid.xs.length - 1, isReversed)) texts.push(row)
  }
  const filled = texts.filter((row) => row.some((text) => text !== ''))
  const used = columnsWithText(filled)
  const kept = filled.map((row) => used.map((column) => row[column] ?? ''))
  const isTable = used.length > 1 && kept.filter((row) => row.filter((text) => text !== '').length > 1).length > 1
  return isTable && !isFrame(cells) ? { rows: kept, isReversed } : undefined
}

const columnsWithText = (rows: string[][]): number[] =>
  (rows[0] ?? []).flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []))

/** A line between two columns of running text makes no table of them. */
const isFrame = (cells: Cell[]): boolean => {
  const bands = new Set(cells.map(({ band }) => band))
  return bands.size < 3 && cells.length === 2 && isProse([...placedLines(cells, 2)])
}

function* placedLines(cells: Cell[], columns: number): Generator<Cells> {
  for (const [index, cell] of cells.entries())
    for (const line of cell.lines)
      yield Array.from({ length: columns }, (_, column) => (column === index ? line : undefined))
}

function cellsOf(grid: GridLines, runs: readonly Run[]): Cell[] {
  const columns = grid.xs.length - 1
  const inPlace = Map.groupBy(
    runs.flatMap((one) => divided(one, grid, runs)),
    (run) => grid.topLeft(bandOf(run, grid), placeIn(grid.xs, (run.left + run.right) / 2)),
  )
  return [...inPlace].flatMap(([place, list]) => {
    const column = place % columns
    return stacked(list, Math.floor(place / columns), grid).flatMap(({ band, lines }) =>
      apart({ column, end: grid.endOf(band, column), band, lines }, grid),
    )
  })
}

const bandOf = (run: Run, grid: GridLines): number => placeIn(grid.ys, run.baseline - 0.3 * run.size)

/** Lines further apart, in type sizes, are cells of their own where a line across is missing. */
const farthestLine = 1.6

/** The lines of a cell. Where only other columns have a line across, what stands below it is another cell. */
function stacked(runs: Run[], first: number, grid: GridLines): { band: number; lines: Row[] }[] {
  const cells: { band: number; lines: Row[]; last: number }[] = []
  for (const line of rowsOf(runs)) {
    const own = bandOf({ ...line, text: '', isRightToLeft: false }, grid)
    const cell = cells.at(-1)
    const before = cell?.lines.at(-1)
    const isNew =
      before === undefined || (own !== cell?.last && line.baseline - before.baseline > farthestLine * line.size)
    if (isNew) cells.push({ band: own, lines: [line], last: own })
    else if (cell !== undefined) {
      cell.lines.push(line)
      cell.last = own
    }
  }
  return cells.map(({ lines }, index) => ({ lines, band: cells.length === 1 ? first : (cells[index]?.band ?? first) }))
}

/** The last place that begins before `value`. */
function placeIn(bounds: number[], value: number): number {
  let at = 0
  while (at + 2 < bounds.length && value >= (bounds[at + 1] ?? 0)) at++
  return at
}

/** A piece of text that goes over a line down is two. The library joins what stands close together. */
function divided(run: Run, grid: GridLines, others: readonly Run[]): Run[] {
  const band = bandOf(run, grid)
  const reach = 0.25 * run.size
  const at = grid.xs.findIndex((x, index) => x > run.left + reach && x < run.right - reach && isSide(grid, band, index))
  const x = grid.xs[at]
  if (x === undefined || run.isRightToLeft || run.seen !== undefined) return [run]
  const next = grid.xs[at + 1] ?? Number.POSITIVE_INFINITY
  const isBeside = ({ baseline, left, right }: Run) =>
    left >= run.right && (left + right) / 2 < next && Math.abs(baseline - run.baseline) < reach
  // It is too long for its cell: the next one has its own text.
  if (others.some(isBeside)) return [run]
  const wanted = ((x - run.left) / (run.right - run.left)) * run.text.length
  const spaces = [...run.text.matchAll(/ +/g)].map(({ index }) => index)
  const nearest = spaces.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0]
  if (nearest === undefined) return [run]
  const width = ((run.right - run.left) * nearest) / run.text.length
  const middle = Math.min(Math.max(run.left + width, x - 1), x)
  const first = { ...run, text: run.text.slice(0, nearest), right: middle }
  const rest = { ...run, text: run.text.slice(nearest).trimStart(), left: x + 0.1 }
  return [first, ...(rest.right > rest.left ? divided(rest, grid, others) : [rest])]
}

/** Where a line is missing between two columns, what stands in each of them is still a cell of its own. */
function apart(cell: Cell, { xs }: GridLines): Cell[] {
  if (cell.end - cell.column < 2) return [cell]
  const pieces = cell.lines.map(segmentsOf)
  const isOne = pieces.every((line) => line.length === 1)
  const within = (piece: Row) => {
    const column = placeIn(xs, (piece.left + piece.right) / 2)
    const slack = 0.2 * piece.size
    return piece.left > (xs[column] ?? 0) - slack && piece.right < (xs[column + 1] ?? 0) + slack ? column : undefined
  }
  const places = pieces.map((line) => line.map(within))
  if (isOne || places.some((line) => line.includes(undefined))) return [cell]
  const columns = new Map<number, Run[]>()
  for (const [index, line] of pieces.entries())
    for (const [at, piece] of line.entries()) {
      const column = places[index]?.[at] ?? cell.column
      columns.set(column, [...(columns.get(column) ?? []), ...piece.runs])
    }
  return [...columns].map(([column, runs]) => ({ column, end: column + 1, band: cell.band, lines: rowsOf(runs) }))
}

/** What stands between two lines across: one row, or several that nothing divides. */
function bandRows(cells: Cell[], columns: number, isReversed: boolean): string[][] {
  if (cells.length === 0) return []
  const lines = linesIn(cells, columns)
  if (isSeveral(lines.map(({ cells }) => cells))) {
    return linesOf(
      lines.map(({ row }) => row),
      lines.map(({ cells }) => cells),
      isReversed,
    )
  }
  const texts: string[] = Array(columns).fill('')
  for (const { column, lines } of cells) texts[column] = lines.map(textOf).reduce(joinLines)
  return [texts]
}

interface Line {
  row: Row
  cells: Cells
}

/** Lines of all cells, those beside each other together. */
function linesIn(cells: Cell[], columns: number): Line[] {
  const all = cells.flatMap(({ column, lines }) => lines.map((row) => ({ column, row })))
  all.sort((one, other) => one.row.baseline - other.row.baseline)
  const lines: Line[] = []
  for (const { column, row } of all) {
    const last = lines.at(-1)
    const isBeside =
      last !== undefined &&
      row.baseline - last.row.baseline <= 0.3 * Math.min(row.size, last.row.size) &&
      last.cells[column] === undefined
    const line: Line = isBeside ? last : { row, cells: Array(columns).fill(undefined) }
    if (!isBeside) lines.push(line)
    line.cells[column] = row
  }
  return lines
}

/** Whether lines between two lines across are rows of their own: numbers stand below numbers, or short texts in all. */
function isSeveral(lines: Cells[]): boolean {
  if (lines.length < 2) return false
  const numbers = (cells: Cells) => cells.filter((cell) => cell !== undefined && isNumber(textOf(cell))).length
  if (lines.filter((cells) => numbers(cells) > 1).length > 1) return true
  const used = (lines[0] ?? []).filter((_, column) => lines.some((cells) => cells[column] !== undefined)).length
  const full = lines.filter((cells) => cells.filter((cell) => cell !== undefined).length === used).length
  return lines.length > 2 && used > 1 && full > 0.8 * lines.length && !lines.some((cells) => cells.some(isLong))
}

const isLong = (cell: Row | undefined): boolean =>
  cell !== undefined && cell.runs.reduce((sum, { text }) => sum + text.length, 0) > 24

const isNumber = (text: string): boolean => /\d/.test(text) && !/\p{L}{4}/u.test(text)
