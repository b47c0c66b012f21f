import { letters, rightToLeftLetters } from '../../../text/letters.ts'
import { areIdeographs } from './characters.ts'
import { asSeen, inReadingOrder } from './direction.ts'
import { withoutDoubles } from './doubled.ts'
import { linkMarks } from './links.ts'
import type { Run } from './run.ts'
import { withoutSpread } from './spaced.ts'

/** Runs on one line, from left to right. */
export interface Row {
  runs: Run[]
  left: number
  right: number
  baseline: number
  /** Of the largest type in it. */
  size: number
}

/** In type sizes: a wider gap isn't the space between words, even in justified text that isn't spaced out. */
const wordGap = 0.7

const rowOf = (runs: Run[]): Row => {
  const sorted = runs.toSorted((one, other) => one.left - other.left)
  const largest = sorted.reduce((one, other) => (other.size > one.size ? other : one))
  return {
    runs: sorted,
    left: sorted.reduce((left, run) => Math.min(left, run.left), Number.POSITIVE_INFINITY),
    right: sorted.reduce((right, run) => Math.max(right, run.right), Number.NEGATIVE_INFINITY),
    baseline: largest.baseline,
    size: largest.size,
  }
}

/** Rows from top to bottom. Raised and lowered type (footnote marks, subscripts) belongs to the row beside it. */
export function rowsOf(runs: Run[]): Row[] {
  const rows: Row[] = []
  let together: Run[] = []
  const close = () => {
    if (together.length > 0) {
      const sorted = together.toSorted((one, other) => one.left - other.left)
      rows.push(rowOf(withoutSpread(withoutDoubles(sorted))))
    }
    together = []
  }
  for (const run of runs.toSorted((one, other) => one.baseline - other.baseline)) {
    const first = together[0]
    if (first !== undefined && run.baseline - first.baseline > 0.25 * Math.min(first.size, run.size)) close()
    together.push(run)
  }
  close()
  return withRaised(rows)
}

/** Raised and lowered type is this much smaller than the type beside it. */
const smallType = 0.85

/** In runs. More can't be a line of text, and joining them again and again would take long. */
const mostRaised = 40
const mostOnLine = 400

function withRaised(rows: Row[]): Row[] {
  const merged: Row[] = []
  for (const row of rows) {
    const before = merged.at(-1)
    if (before !== undefined && isRaised(before, row, 0.6))
      merged[merged.length - 1] = rowOf([...before.runs, ...row.runs])
    else if (before !== undefined && isRaised(row, before, 0.35)) {
      merged[merged.length - 1] = rowOf([...before.runs, ...row.runs])
    } else merged.push(row)
  }
  return merged
}

/** Whether the small row is beside the large one's letters. `reach`: how far baselines may differ, in type sizes. */
function isRaised(small: Row, large: Row, reach: number): boolean {
  if (small.size > smallType * large.size || small.runs.length > mostRaised || large.runs.length > mostOnLine)
    return false
  if (Math.abs(small.baseline - large.baseline) > reach * large.size) return false
  const near = 0.4 * large.size
  return small.runs.every((run) => touches(large.runs, run.left - near, run.right + near))
}

/** Sorted by their left ends, and hardly overlapping: the last that begins before `right` decides. */
function touches(runs: Run[], left: number, right: number): boolean {
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.left ?? 0) < right) low = middle + 1
    else high = middle
  }
  const last = runs[low - 1]
  return last !== undefined && last.right > left
}

/** Runs of a row that belong together; a wide gap divides them. */
export function segmentsOf(row: Row): Row[] {
  const segments: Run[][] = []
  let right = Number.NEGATIVE_INFINITY
  for (const run of row.runs) {
    const last = segments.at(-1)
    if (last === undefined || run.left - right > wordGap * row.size) segments.push([run])
    else last.push(run)
    right = Math.max(right, run.right)
  }
  return segments.map(rowOf)
}

/** A third of its letters is enough: names and terms in Latin letters are common in such lines, the reverse is rare. */
export const isRightToLeft = (row: Row): boolean => {
  const text = row.runs.map((run) => run.text).join('')
  const count = rightToLeftLetters(text)
  return count > 0 && count * 3 > letters(text)
}

/** Dots that lead to a page number. */
const leader = /(?: ?\.){5,} ?/g

/** The row's text in the order in which it is read. */
export function textOf(row: Row): string {
  const text = row.runs.some((run) => run.isRightToLeft || rightToLeftLetters(run.text) > 0)
    ? turnedText(row)
    : plainText(row.runs)
  return text.replace(leader, ' … ')
}

function plainText(runs: Run[]): string {
  let text = ''
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]
    if (before !== undefined) text += between(before, run, runs[index + 1])
    text += run.text
  }
  return text
}

/** What stands between two runs. Without it, 10 with a raised 6 were 106, and so was a 10 with a sixth footnote. */
function between(before: Run, run: Run, next: Run | undefined): string {
  if (isApart(before, run)) return ' '
  const isPower = /\d$/.test(before.text) && /^[-+−–]?\d|^[-+−–]$/.test(run.text)
  const isSmall = run.size <= smallType * before.size
  if (!isPower || !isSmall || before.baseline - run.baseline <= 0.1 * before.size) return ''
  return /^\d+[/⁄]/.test(run.text + (next?.text ?? '')) ? ' ' : '^'
}

/** Marks of links stay behind the words that they follow. */
function turnedText(row: Row): string {
  const seen: string[] = []
  const marks = new Map<number, string>()
  let before: Run | undefined
  for (const run of row.runs) {
    if (before !== undefined && isApart(before, run)) seen.push(' ')
    const start = seen.length
    for (const glyph of run.seen ?? asSeen(run.text.replace(linkMarks, ''), run.isRightToLeft)) seen.push(glyph)
    const written = run.text.match(linkMarks)?.join('')
    if (written !== undefined) marks.set(run.isRightToLeft ? start : seen.length - 1, written)
    before = run
  }
  const read = inReadingOrder(seen, isRightToLeft(row))
  return read.map(({ text, at }) => text + (marks.get(at) ?? '')).join('')
}

function isApart(before: Run, after: Run): boolean {
  const gap = Math.max(after.left - before.right, before.left - after.right)
  const size = Math.min(before.size, after.size)
  return gap > (areIdeographs(before.text, after.text) ? wordGap : 0.12) * size
}
