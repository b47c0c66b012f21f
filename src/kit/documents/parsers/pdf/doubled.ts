import type { Run } from './run.ts'

/** In type sizes: letters that are set close together overlap less. */
const leastOverlap = 0.2

/** In type sizes: how wrong the place of a letter may be, when only that of its run is known. */
const tolerance = 0.35

/** Where this many letters are doubled one by one, a row was printed letter by letter. */
const leastDoubled = 3
const shareDoubled = 0.3

/** The library takes the doubles of narrow letters for letters that are set close together. */
const narrowPair = /([ijlI'|])\1/g

/**
 * Runs from left to right without what is printed twice: some programs make type bold, or give it a shadow, by printing
 * it again beside itself, word by word or letter by letter.
 */
export function withoutDoubles(runs: Run[]): Run[] {
  const kept: Run[] = []
  let doubled = 0
  for (const run of runs) {
    const before = kept.at(-1)
    const again = before === undefined ? 0 : repeated(before, run)
    if (again === 1) doubled++
    if (again === 0) kept.push(run)
    else if (again < run.text.length)
      kept.push({ ...run, text: run.text.slice(again), left: before?.right ?? run.left, seen: undefined })
  }
  const characters = kept.reduce((sum, { text }) => sum + text.length, 0)
  if (doubled < leastDoubled || doubled < shareDoubled * characters) return kept
  return kept.map((run) => ({ ...run, text: run.text.replace(narrowPair, '$1') }))
}

/** How many characters at the beginning of `run` stand on the same ones at the end of `before`. */
function repeated(before: Run, run: Run): number {
  const { text, left, right, size } = run
  const overlap = Math.min(before.right, right) - left
  if (overlap < leastOverlap * size || before.isRightToLeft || run.isRightToLeft) return 0
  if (Math.abs(before.size - size) > 0.1 * size) return 0
  const guess = Math.round((text.length * overlap) / (right - left))
  for (const count of [guess, guess + 1, guess - 1]) {
    if (count < 1 || count > text.length || !before.text.endsWith(text.slice(0, count))) continue
    if (Math.abs(((right - left) * count) / text.length - overlap) <= tolerance * size) return count
  }
  return 0
}
