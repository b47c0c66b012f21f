/** Shorter names resemble too many others. */
const shortest = 5

/** For names of skills and tools, some of which are as short as `pdf`. */
export const shortestTool = 3

/** Case and separators don't count. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[-_]/g, '')

/**
 * The name that was probably meant, with at most one typo in four letters; undefined if none is close enough. Names of
 * fewer letters than `least` must be the same. With fewer than four, two neighbours may be swapped.
 */
export function nearestName(written: string, names: readonly string[], least = shortest): string | undefined {
  const key = keyOf(written)
  const ranked = names
    .map((name) => ({ name, length: keyOf(name).length, slips: slipsBetween(key, keyOf(name)) }))
    .filter(
      ({ name, length, slips }) =>
        slips === 0 || (length >= least && (slips <= Math.floor(length / 4) || isSwap(key, keyOf(name), slips))),
    )
  return ranked.toSorted((a, b) => a.slips - b.slips)[0]?.name
}

const isSwap = (one: string, other: string, slips: number): boolean =>
  slips === 1 && lettersOf(one) === lettersOf(other)

const lettersOf = (key: string): string => [...key].toSorted().join('')

/** Counts missing, extra, wrong and swapped letters. */
function slipsBetween(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      const edits = [cell(last, at) + 1, cell(now, at - 1) + 1, cell(last, at - 1) + (isSame ? 0 : 1)]
      now.push(Math.min(...edits, ...(isSwapped ? [cell(before, at - 2) + 1] : [])))
    }
    ;[before, last] = [last, now]
  }
  return cell(last, other.length)
}

const cell = (row: number[] | undefined, at: number): number => row?.[at] ?? 0
