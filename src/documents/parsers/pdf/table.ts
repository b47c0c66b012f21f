import { joinLines, markerOf } from './characters.ts'
import { isRunningText, medianOf } from './columns.ts'
import { columnAt, type Gap, gapsOf, inner, sharedGaps } from './gaps.ts'
import { isRightToLeft, type Row, segmentsOf, textOf } from './row.ts'

/** Rows of text, or a table as Markdown. */
export type Passage = { kind: 'text'; rows: Row[] } | { kind: 'table'; markdown: string }

/** Rows further apart, in sizes of type, are not one table. */
const farthest = 4

const mostColumns = 60

/** Characters. */
const longestCell = 10_000

/** Finds tables among rows: several rows with text at the same places across. */
export function passagesOf(rows: Row[]): Passage[] {
  const passages: Passage[] = []
  let text: Row[] = []
  let at = 0
  while (at < rows.length) {
    const found = gridAt(rows, at)
    const markdown = found === undefined ? undefined : markdownOf(found)
    if (found !== undefined && markdown !== undefined) {
      if (text.length > 0) passages.push({ kind: 'text', rows: text })
      text = []
      passages.push({ kind: 'table', markdown })
    } else if (found !== undefined) for (const row of found.rows) text.push(row)
    else text.push(rows[at] as Row) // at < length
    at += found?.rows.length ?? 1
  }
  if (text.length > 0) passages.push({ kind: 'text', rows: text })
  return passages
}

interface Grid {
  rows: Row[]
  gaps: Gap[]
}

/** The rows from `start` on that keep at least one gap in common. Undefined where the first has none. */
function gridAt(rows: Row[], start: number): Grid | undefined {
  const first = rows[start]
  if (first === undefined) return undefined
  let gaps = gapsOf(first)
  if (inner(gaps).length === 0) return undefined
  let end = start + 1
  let lastFull = start
  for (; end < rows.length; end++) {
    const row = rows[end] as Row // end < length
    const before = rows[end - 1] as Row // start < end
    if (row.baseline - before.baseline > farthest * Math.max(row.size, before.size)) break
    const shared = sharedGaps(gaps, gapsOf(row), Math.min(row.size, first.size))
    const isSingle = segmentsOf(row).length === 1
    const lost = inner(gaps).length - inner(shared).length
    if (inner(shared).length === 0 || (isSingle ? lost > 0 : lost > inner(gaps).length / 2)) break
    gaps = shared
    if (!isSingle) lastFull = end
  }
  const wrapped = trailingLines(rows, lastFull, end)
  return { rows: rows.slice(start, wrapped), gaps: inner(gaps) }
}

/** Lines below the last row that still belong to its cells stand as close as lines do, and not at the left. */
function trailingLines(rows: Row[], lastFull: number, end: number): number {
  const left = rows[lastFull]?.left ?? 0
  let at = lastFull + 1
  while (at < end) {
    const row = rows[at] as Row // at < end ≤ length
    const before = rows[at - 1] as Row // lastFull ≥ 0
    if (row.left < left + row.size || row.baseline - before.baseline > 1.5 * row.size) break
    at++
  }
  return at
}

function markdownOf(grid: Grid): string | undefined {
  const columns = grid.gaps.length + 1
  if (columns > mostColumns) return undefined
  const placed = grid.rows.map((row) => placedIn(grid.gaps, row))
  const lines = linesOf(grid.rows, placed)
  const full = lines.filter((cells) => cells.filter((cell) => cell !== '').length > 1).length
  if (full < (columns > 2 ? 2 : 3) || full < 0.6 * lines.length) return undefined
  if (!isAligned(placed, columns) || isList(placed) || isProse(placed)) return undefined
  const isReversed = grid.rows.filter(isRightToLeft).length * 2 > grid.rows.length
  const [head, ...body] = lines.map(
    (cells) => `| ${(isReversed ? cells.toReversed() : cells).map(escaped).join(' | ')} |`,
  )
  return [head, `|${' --- |'.repeat(columns)}`, ...body].join('\n')
}

const escaped = (cell: string): string => cell.replaceAll('|', '\\|')

type Cells = (Row | undefined)[]

function placedIn(gaps: Gap[], row: Row): Cells {
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

/** In each column most cells share a left end, a right end or a middle. */
function isAligned(placed: Cells[], columns: number): boolean {
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

/** Bullets and numbers with text beside them are a list. */
function isList(placed: Cells[]): boolean {
  const first = placed.map((row) => row[0]).filter((cell) => cell !== undefined)
  const marked = first.filter((cell) => {
    const text = textOf(cell)
    return markerOf(text)?.length === text.length || /^\d+(\.\d+)+\.?$/.test(text)
  })
  return marked.length > 0.6 * first.length && (placed[0]?.length ?? 0) === 2
}

/** Two columns of running text stand side by side. */
function isProse(placed: Cells[]): boolean {
  const [left, right] = [0, 1].map((column) =>
    placed.map((cells) => cells[column]).filter((cell) => cell !== undefined),
  )
  if (left === undefined || right === undefined || placed[0]?.length !== 2) return false
  return isRunningText(left) && isRunningText(right)
}

/** The table's rows: a line that only goes on in cells above joins them. */
function linesOf(rows: Row[], placed: Cells[]): string[][] {
  const pitch = medianOf(
    rows
      .slice(1)
      .flatMap((row, index) => (placed[index + 1]?.[0] === undefined ? [] : [row.baseline - rowAt(rows, index)])),
  )
  const lines: string[][] = []
  for (const [index, cells] of placed.entries()) {
    const texts = cells.map((cell) => (cell === undefined ? '' : textOf(cell)))
    const last = lines.at(-1)
    const distance = (rows[index]?.baseline ?? 0) - rowAt(rows, index - 1)
    if (last === undefined || !goesOn(cells, last, texts, distance, pitch)) {
      lines.push(texts)
      continue
    }
    for (const [column, text] of texts.entries()) {
      const above = last[column] ?? ''
      if (text !== '') last[column] = above === '' ? text : joinLines(above, text)
    }
  }
  return lines
}

function goesOn(cells: Cells, last: string[], texts: string[], distance: number, pitch: number): boolean {
  const size = cells.reduce((largest, cell) => Math.max(largest, cell?.size ?? 0), 0)
  if (last.some((text) => text.length > longestCell)) return false
  // Less than a line below: cells of a row that stand at half height.
  if (distance < 0.95 * size) return true
  if (cells[0] !== undefined) return false
  if (distance <= 0.85 * pitch) return true
  return last[0] !== '' && distance <= 1.1 * pitch && texts.every((text) => /^(\p{Ll}|$)/u.test(text))
}

const rowAt = (rows: Row[], index: number): number => rows[index]?.baseline ?? Number.NEGATIVE_INFINITY
