import { isAligned, isList, isProse, placedIn, withoutStray } from './cells.ts'
import { type Gap, gapsOf, inner, sharedGaps } from './gaps.ts'
import { linesOf } from './lines.ts'
import { isRightToLeft, type Row, segmentsOf } from './row.ts'

/** Rows of text, or a table as Markdown. */
export type Passage = { kind: 'text'; rows: Row[] } | { kind: 'table'; markdown: string }

/** Rows further apart, in type sizes, aren't one table. */
const farthest = 4

const mostColumns = 60

/** Finds tables among rows: several rows with text at the same positions across. */
export function passagesOf(rows: Row[]): Passage[] {
  const passages: Passage[] = []
  let text: Row[] = []
  let at = 0
  while (at < rows.length) {
    const row = rows[at] as Row // at < length
    const drawn = row.runs.filter(({ table }) => table !== undefined)
    if (drawn.length > 0) {
      const beside = row.runs.filter(({ table }) => table === undefined)
      if (beside.length > 0) text.push({ ...row, runs: beside })
      if (text.length > 0) passages.push({ kind: 'text', rows: text })
      text = []
      for (const { table: markdown = '' } of drawn) passages.push({ kind: 'table', markdown })
      at++
      continue
    }
    const found = gridAt(rows, at)
    const markdown = found === undefined ? undefined : markdownOf(found)
    if (found !== undefined && markdown !== undefined) {
      if (text.length > 0) passages.push({ kind: 'text', rows: text })
      text = []
      passages.push({ kind: 'table', markdown })
    } else if (found !== undefined) for (const row of found.rows) text.push(row)
    else text.push(row)
    at += found?.rows.length ?? 1
  }
  if (text.length > 0) passages.push({ kind: 'text', rows: text })
  return passages
}

interface Grid {
  rows: Row[]
  gaps: Gap[]
  isReversed: boolean
}

/** The rows from `start` on that keep at least one gap in common. Undefined if the first has none. */
function gridAt(rows: Row[], start: number): Grid | undefined {
  const first = rows[start]
  if (first === undefined) return undefined
  let gaps = gapsOf(first)
  if (inner(gaps).length === 0) return undefined
  let end = start + 1
  let lastFull = start
  let [full, step] = [1, 0]
  for (; end < rows.length; end++) {
    const row = rows[end] as Row // end < length
    const before = rows[end - 1] as Row // start < end
    const distance = row.baseline - before.baseline
    if (distance > farthest * Math.max(row.size, before.size)) break
    const shared = sharedGaps(gaps, gapsOf(row), Math.min(row.size, first.size))
    const isSingle = segmentsOf(row).length === 1
    const lost = inner(gaps).length - inner(shared).length
    if (inner(shared).length === 0 || (isSingle ? lost > 0 : lost > inner(gaps).length / 2)) break
    if (full > 1 && distance > 1.3 * step && isOther(rows[lastFull] as Row, rows.slice(end, end + 3))) break
    gaps = shared
    step = Math.max(step, distance)
    if (isSingle) continue
    lastFull = end
    full++
  }
  const isReversed = isMostlyReversed(rows.slice(start, lastFull + 1))
  const whole = rows.slice(start, trailingLines(rows, { start, lastFull, end, isReversed }))
  return { rows: whole, gaps: withoutStray(inner(gaps), whole), isReversed }
}

/** Whether rows below have more pieces, and few that begin or end where this row's do: another table begins there. */
function isOther(row: Row, below: Row[]): boolean {
  const pieces = segmentsOf(row)
  if (below.some((other) => segmentsOf(other).length <= pieces.length)) return false
  const others = below.flatMap(segmentsOf)
  const matched = pieces.filter((piece) =>
    others.some((other) => {
      const near = (one: number, two: number) => Math.abs(one - two) <= 0.5 * Math.min(piece.size, other.size)
      const isBeside = other.right < piece.left || other.left > piece.right
      const middle = (piece.left + piece.right) / 2
      return (
        !isBeside &&
        (near(piece.left, other.left) || near(piece.right, other.right) || near(middle, (other.left + other.right) / 2))
      )
    }),
  )
  return matched.length <= pieces.length / 2
}

const isMostlyReversed = (rows: Row[]): boolean => rows.filter(isRightToLeft).length * 2 > rows.length

interface Extent {
  start: number
  /** The last row with more than one cell. */
  lastFull: number
  end: number
  isReversed: boolean
}

/**
 * Lines below the last row that still belong to its cells are as close as lines, and not where rows begin, unless rows
 * above have such lines there too.
 */
function trailingLines(rows: Row[], { start, lastFull, end, isReversed }: Extent): number {
  const edge = (row: Row) => (isReversed ? -row.right : row.left)
  const last = rows[lastFull] as Row // start ≤ lastFull < length
  let wrapped: number | undefined
  let at = lastFull + 1
  while (at < end) {
    const row = rows[at] as Row // at < end ≤ length
    const distance = row.baseline - (rows[at - 1] as Row).baseline // lastFull ≥ 0
    if (distance > 1.5 * row.size) break
    if (edge(row) < edge(last) + row.size) {
      wrapped ??= wrappedDistance(rows, start, lastFull)
      if (distance > 1.02 * wrapped) break
    }
    at++
  }
  return at
}

/** The distance of single lines that are closer to the row above than to the one below. 0 if there are none. */
function wrappedDistance(rows: Row[], start: number, lastFull: number): number {
  let most = 0
  for (let at = start + 1; at < lastFull; at++) {
    const [before, row, next] = [rows[at - 1], rows[at], rows[at + 1]] as [Row, Row, Row] // within the rows
    const [above, below] = [row.baseline - before.baseline, next.baseline - row.baseline]
    if (below > 1.15 * above && segmentsOf(row).length === 1) most = Math.max(most, above)
  }
  return most
}

function markdownOf({ rows, gaps, isReversed }: Grid): string | undefined {
  const columns = gaps.length + 1
  if (columns === 1 || columns > mostColumns) return undefined
  const placed = rows.map((row) => placedIn(gaps, row))
  const lines = linesOf(rows, placed, isReversed)
  const full = lines.filter((cells) => cells.filter((cell) => cell !== '').length > 1).length
  if (full < (columns > 2 ? 2 : 3) || full < 0.6 * lines.length) return undefined
  if (!isAligned(placed, columns) || isList(placed) || isProse(placed)) return undefined
  return markdownTable(lines, isReversed)
}

export function markdownTable(rows: string[][], isReversed: boolean): string {
  const [head, ...body] = rows.map(
    (cells) => `| ${(isReversed ? cells.toReversed() : cells).map(escaped).join(' | ')} |`,
  )
  return [head, `|${' --- |'.repeat(rows[0]?.length ?? 1)}`, ...body].join('\n')
}

const escaped = (cell: string): string => cell.replaceAll('|', '\\|')
