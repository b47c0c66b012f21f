import { areCentred } from './centred.ts'
import { columnAt, type Gap, gapsOf, inner, sharedGaps } from './gaps.ts'
import { isRightToLeft, type Row, rowsOf } from './row.ts'
import type { Run } from './run.ts'

/** A piece of a page: rows that are read one after the other, or columns of such pieces. */
export type Piece = { kind: 'rows'; rows: Row[] } | { kind: 'columns'; columns: Piece[][] }

/** Nested columns: no page needs more levels. */
const deepest = 4

/** A wider empty space, in type sizes, ends columns. */
const emptyStretch = 2.8

/** How many rows must leave the same space free for there to be columns. */
const probedRows = 12

/** Divides rows of text into columns where running text stands side by side, in reading order. Tables stay rows. */
export function columnPieces(rows: Row[], depth = 0): Piece[] {
  const pieces: Piece[] = []
  let plain: Row[] = []
  for (let at = 0; at < rows.length; ) {
    const band = bandAt(rows, at)
    const columns = depth < deepest ? columnsOf(band) : undefined
    at += band.rows.length
    if (columns === undefined) {
      for (const row of band.rows) plain.push(row)
      continue
    }
    if (plain.length > 0) pieces.push({ kind: 'rows', rows: plain })
    plain = []
    const isReversed = band.rows.filter(isRightToLeft).length * 2 > band.rows.length
    const read = isReversed ? columns.toReversed() : columns
    pieces.push({ kind: 'columns', columns: read.map((column) => columnPieces(column, depth + 1)) })
  }
  if (plain.length > 0) pieces.push({ kind: 'rows', rows: plain })
  return pieces
}

interface Band {
  rows: Row[]
  gaps: Gap[]
}

/** The rows from `start` on that leave the same space free between their left and right; one row if there is none. */
function bandAt(rows: Row[], start: number): Band {
  const first = rows[start] as Row // start < length
  let gaps = gapsOf(first)
  let end = start + 1
  for (; end < rows.length; end++) {
    const row = rows[end] as Row // end < length
    const before = rows[end - 1] as Row // start < end
    const shared = sharedGaps(gaps, gapsOf(row), Math.min(row.size, first.size))
    const hadInner = inner(gaps).length > 0
    if (shared.length === 0 || (hadInner && inner(shared).length === 0)) break
    if (!hadInner && end - start > probedRows) break
    if (row.baseline - before.baseline > emptyStretch * Math.max(before.size, row.size)) break
    if (before.size > headingSize * row.size && end === start + 1 && isAlone(rows, start)) break
    if (row.size > headingSize * before.size && isAlone(rows, end)) break
    gaps = shared
  }
  const isDivided = inner(gaps).length > 0
  return { rows: rows.slice(start, isDivided ? end : start + 1), gaps }
}

/** Type this much larger is a heading: without anything beside it, it belongs to all columns. */
const headingSize = 1.15

function isAlone(rows: Row[], at: number): boolean {
  const [before, row, next] = [rows[at - 1], rows[at], rows[at + 1]]
  if (row === undefined || inner(gapsOf(row)).length > 0) return false
  const isBelow = before === undefined || row.baseline - row.size > before.baseline
  return isBelow && (next === undefined || next.baseline - next.size > row.baseline)
}

function columnsOf(band: Band): Row[][] | undefined {
  const gaps = inner(band.gaps)
  if (gaps.length === 0 || gaps.length > 5 || band.rows.length < 3) return undefined
  const runs: Run[][] = Array.from({ length: gaps.length + 1 }, () => [])
  for (const row of band.rows) {
    for (const run of row.runs) runs[columnAt(gaps, (run.left + run.right) / 2)]?.push(run)
  }
  const columns = runs.map(rowsOf)
  if (columns.every(isRunningText)) return columns
  const isDense = columns.every((column) => column.length >= 3 && medianOf(column.map(charactersOf)) >= 6)
  return isDense && sharedRows(band, gaps) < 0.4 && !areCentred(band.rows, gaps) ? columns : undefined
}

/** Lines that mostly fill their column. */
export function isRunningText(column: Row[]): boolean {
  if (column.length < 3) return false
  const left = column.reduce((least, row) => Math.min(least, row.left), Number.POSITIVE_INFINITY)
  const right = column.reduce((most, row) => Math.max(most, row.right), Number.NEGATIVE_INFINITY)
  const filled = medianOf(column.map((row) => (row.right - row.left) / (right - left)))
  return filled >= 0.6 && medianOf(column.map(charactersOf)) >= 18
}

/** Ideographs say as much as two letters. */
const charactersOf = (row: Row): number =>
  row.runs.reduce((sum, { text }) => sum + text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0), 0)

/** The share of rows with text on both sides of a gap: cells of a table are side by side, columns don't have to be. */
function sharedRows(band: Band, gaps: Gap[]): number {
  const sides = band.rows.map((row) => new Set(row.runs.map((run) => columnAt(gaps, run.left))).size)
  return sides.filter((columns) => columns > 1).length / band.rows.length
}

export function medianOf(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? 0
}
