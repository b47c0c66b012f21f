import { type Row, segmentsOf } from './row.ts'

/** Free space across a band of rows, from `left` to `right`. */
export interface Gap {
  left: number
  right: number
}

/** In type sizes: narrower gaps divide nothing. */
const leastGap = 0.7

/** A row with more isn't part of columns or tables; comparing such rows would take long. */
const mostGaps = 200

/** The space that a row leaves free, including everything beside it. */
export function gapsOf(row: Row): Gap[] {
  const gaps: Gap[] = []
  let right = Number.NEGATIVE_INFINITY
  for (const segment of segmentsOf(row)) {
    if (segment.left > right) gaps.push({ left: right, right: segment.left })
    right = Math.max(right, segment.right)
  }
  gaps.push({ left: right, right: Number.POSITIVE_INFINITY })
  return gaps.length > mostGaps ? [] : gaps
}

/** The space that both leave free. Each list goes from left to right. */
export function sharedGaps(some: Gap[], others: Gap[], size: number): Gap[] {
  const shared: Gap[] = []
  let at = 0
  let other = 0
  while (at < some.length && other < others.length) {
    const one = some[at] as Gap // both within their lists
    const two = others[other] as Gap
    const left = Math.max(one.left, two.left)
    const right = Math.min(one.right, two.right)
    if (right - left >= leastGap * size) shared.push({ left, right })
    if (one.right < two.right) at++
    else other++
  }
  return shared
}

/** Those with text on both sides: they divide. */
export const inner = (gaps: Gap[]): Gap[] =>
  gaps.filter((gap) => gap.left !== Number.NEGATIVE_INFINITY && gap.right !== Number.POSITIVE_INFINITY)

/** The column that contains `place`. Gaps go from left to right. */
export function columnAt(gaps: Gap[], place: number): number {
  let low = 0
  let high = gaps.length
  while (low < high) {
    const middle = (low + high) >> 1
    const gap = gaps[middle] as Gap // low ≤ middle < high
    if ((gap.left + gap.right) / 2 < place) low = middle + 1
    else high = middle
  }
  return low
}
