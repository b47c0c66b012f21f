import type { Cells } from './cells.ts'
import { joinLines } from './characters.ts'
import { medianOf } from './columns.ts'
import { type Row, textOf } from './row.ts'

/** Characters. */
const longestCell = 10_000

interface Lines {
  rows: Row[]
  placed: Cells[]
  texts: string[][]
  /** The column that is read first. */
  first: number
}

/** The table's rows: a line that only continues cells above joins them. */
export function linesOf(rows: Row[], placed: Cells[], isReversed: boolean): string[][] {
  const texts = placed.map((cells) => cells.map((cell) => (cell === undefined ? '' : textOf(cell))))
  const lines: Lines = { rows, placed, texts, first: isReversed ? (placed[0]?.length ?? 1) - 1 : 0 }
  const pitch = medianOf(
    rows.slice(1).flatMap((_, index) => (placed[index + 1]?.[lines.first] ? [distanceTo(rows, index + 1)] : [])),
  )
  const within = distanceWithin(lines)
  const widths = widthsOf(placed)
  const joined: string[][] = []
  for (const [index, line] of texts.entries()) {
    const last = joined.at(-1)
    const goesOn =
      last?.every((text) => text.length <= longestCell) === true &&
      (distanceTo(rows, index) <= within || isContinuation(lines, index, last, { pitch, widths }))
    if (last === undefined || !goesOn) {
      joined.push([...line])
      continue
    }
    for (const [column, text] of line.entries()) {
      const above = last[column] ?? ''
      if (text !== '') last[column] = above === '' ? text : joinLines(above, text)
    }
  }
  return joined
}

/** A larger distance, in type sizes, isn't that of lines within a cell. */
const farthestLine = 1.7

/** A smaller distance is between cells at half height. */
const leastLine = 0.95

/** How much further apart rows of a table are than lines within them, if they are. */
const leastStep = 1.15

/** The largest distance of lines within a cell, in points, if rows are further apart than lines. Otherwise 0. */
function distanceWithin(lines: Lines): number {
  const { rows } = lines
  const size = medianOf(rows.map((row) => row.size))
  const distances = rows
    .slice(1)
    .map((_, index) => distanceTo(rows, index + 1))
    .filter((distance) => distance >= leastLine * size)
    .sort((one, other) => one - other)
  const at = distances.findIndex((distance, index) => (distances[index + 1] ?? 0) > leastStep * distance)
  const within = (distances[at] ?? Number.POSITIVE_INFINITY) * 1.02
  return within <= farthestLine * size && areWhole(lines, within) ? within : 0
}

/** Whether lines close together are rows of a table: some column has one line in each, and no numbers are stacked. */
function areWhole({ rows, placed, texts }: Lines, within: number): boolean {
  const columns = placed[0]?.length ?? 0
  const filled: number[] = Array(columns).fill(0)
  const single: boolean[] = Array(columns).fill(true)
  let [groups, singles] = [0, 0]
  let above: string[] = []
  for (const [index, line] of texts.entries()) {
    const isNew = index === 0 || distanceTo(rows, index) > within
    if (isNew) {
      groups++
      above = Array(columns).fill('')
    }
    for (const [column, text] of line.entries()) {
      if (text === '') continue
      if (above[column] === '') filled[column] = (filled[column] ?? 0) + 1
      else {
        if (isNumber(text) && isNumber(above[column] ?? '')) return false
        single[column] = false
      }
      above[column] = text
    }
    if (!isNew && line.filter((text) => text !== '').length === 1) singles++
  }
  const joined = texts.length - groups
  return groups > 1 && singles > 0.5 * joined && single.some((is, column) => is && (filled[column] ?? 0) > 0.6 * groups)
}

const isNumber = (text: string): boolean => /\d/.test(text) && !/\p{L}{4}/u.test(text)

interface Measures {
  /** The usual distance of rows, in points. */
  pitch: number
  /** Of the widest cell in each column. */
  widths: number[]
}

function isContinuation(lines: Lines, index: number, last: string[], { pitch, widths }: Measures): boolean {
  const { rows, placed, texts, first } = lines
  const [cells, text] = [placed[index] ?? [], texts[index] ?? []]
  const distance = distanceTo(rows, index)
  const size = cells.reduce((largest, cell) => Math.max(largest, cell?.size ?? 0), 0)
  if (distance < leastLine * size) return true
  if (cells[first] !== undefined) return distance <= farthestLine * size && isWrapped(lines, index, widths)
  if (distance <= 0.85 * pitch) return true
  return last[first] !== '' && distance <= 1.1 * pitch && text.every((cell) => /^(\p{Ll}|$)/u.test(cell))
}

/** Each cell of the line continues the one above, which had no room for its first word. Some cell above has ended. */
function isWrapped({ placed, texts }: Lines, index: number, widths: number[]): boolean {
  const [cells, above, line] = [placed[index] ?? [], placed[index - 1] ?? [], texts[index] ?? []]
  const count = (some: Cells) => some.filter((cell) => cell !== undefined).length
  if (count(cells) >= count(above)) return false
  return cells.every((cell, column) => {
    if (cell === undefined) return true
    const before = above[column]
    const text = line[column] ?? ''
    if (before === undefined || !/^[\p{Ll}\p{Lo}]/u.test(text)) return false
    const word = ((cell.right - cell.left) * (text.split(' ', 1)[0]?.length ?? 0)) / text.length
    return before.right - before.left + word > 0.95 * (widths[column] ?? 0)
  })
}

const widthsOf = (placed: Cells[]): number[] =>
  (placed[0] ?? []).map((_, column) => placed.reduce((widest, cells) => Math.max(widest, widthOf(cells[column])), 0))

const widthOf = (cell: Row | undefined): number => (cell === undefined ? 0 : cell.right - cell.left)

/** From the row above, in points. */
const distanceTo = (rows: Row[], index: number): number =>
  (rows[index]?.baseline ?? 0) - (rows[index - 1]?.baseline ?? Number.NEGATIVE_INFINITY)
