import { markerOf } from './characters.ts'
import { isRunningText, medianOf } from './columns.ts'
import { columnAt, type Gap } from './gaps.ts'
import { type Row, segmentsOf, textOf } from './row.ts'

/** A line of a table: the text in each column. */
export type Cells = (Row | undefined)[]

export function placedIn(gaps: Gap[], row: Row): Cells {
  const cells: Cells = Array.from({ length: gaps.length + 1 }, () => undefined)
  for (const segment of segmentsOf(row)) {
    const column = columnAt(gaps, (segment.left + segment.right) / 2)
    const there = cells[column]
    cells[column] =
      there === undefined
        ? segment
        : { ...there, runs: [...there.runs, ...segment.runs], right: Math.max(there.right, segment.right) }
  }
  return cells
}

/** Removes gaps that a header creates beside its column: when it is centred above numbers at the edge. */
export function withoutStray(gaps: Gap[], rows: Row[]): Gap[] {
  let kept = gaps
  // Each round removes one gap, and few tables have one.
  for (let round = 0; round < mostStray; round++) {
    const placed = rows.map((row) => placedIn(kept, row))
    const stray = kept.findIndex((_, column) => isStray(placed, column))
    if (stray === -1) break
    kept = kept.toSpliced(stray, 1)
  }
  return kept
}

const mostStray = 8

/** One of the columns beside the gap has a single cell, and nothing stands beside it in the other. */
function isStray(placed: Cells[], column: number): boolean {
  let [left, right] = [0, 0]
  for (const cells of placed) {
    const [before, after] = [cells[column] !== undefined, cells[column + 1] !== undefined]
    if (before && after) return false
    if (before) left++
    if (after) right++
  }
  return Math.min(left, right) === 1 && Math.max(left, right) > 1
}

/** In each column most cells share a left end, a right end or a middle. */
export function isAligned(placed: Cells[], columns: number): boolean {
  for (let column = 0; column < columns; column++) {
    const cells = placed.map((row) => row[column]).filter((cell) => cell !== undefined)
    if (cells.length < 2) return false
    const tolerance = 0.6 * medianOf(cells.map((cell) => cell.size))
    const shares = [
      cells.map((cell) => cell.left),
      cells.map((cell) => cell.right),
      cells.map((cell) => (cell.left + cell.right) / 2),
    ].map((places) => {
      const median = medianOf(places)
      return places.filter((place) => Math.abs(place - median) <= tolerance).length / places.length
    })
    if (Math.max(...shares) < 0.7) return false
  }
  return true
}

/** Bullets and numbers with text beside them are a list, but not with numbers beside them: `200.01` may be a code. */
export function isList(placed: Cells[]): boolean {
  const first = placed.map((row) => row[0]).filter((cell) => cell !== undefined)
  const marked = first.filter((cell) => {
    const text = textOf(cell)
    return markerOf(text)?.length === text.length || /^\d+(\.\d+)+\.?$/.test(text)
  })
  const second = placed.map((row) => row[1]).filter((cell) => cell !== undefined)
  const figures = second.filter((cell) => !/\p{L}{4}/u.test(textOf(cell)) && /\d/.test(textOf(cell)))
  return marked.length > 0.6 * first.length && (placed[0]?.length ?? 0) === 2 && figures.length <= 0.6 * second.length
}

/** Two columns of running text, side by side. */
export function isProse(placed: Cells[]): boolean {
  const [left, right] = [0, 1].map((column) =>
    placed.map((cells) => cells[column]).filter((cell) => cell !== undefined),
  )
  if (left === undefined || right === undefined || placed[0]?.length !== 2) return false
  return isRunningText(left) && isRunningText(right)
}
