/** Shorter names resemble too many others. */
const shortest = 5

/** Case and separators don't count. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[-_]/g, '')

/**
 * The name that was probably meant, with at most one typo in four letters; undefined if none is close enough. Names of
 * fewer letters than `least` must be the same.
 */
export const nearestName = (written: string, names: readonly string[], least = shortest): string | undefined =>
  nearest(written, names, (key, slips) => key.length >= least && slips <= Math.floor(key.length / 4))

/**
 * For names of skills and tools. Some are as short as `pdf`, and somebody's own name may be a letter away from those:
 * in such, two neighbours may be swapped, and with four letters one may be missing.
 */
export const nearestTool = (written: string, names: readonly string[]): string | undefined =>
  nearest(written, names, (key, slips, typed) =>
    key.length >= shortest
      ? slips <= Math.floor(key.length / 4)
      : slips === 1 && (lettersOf(typed) === lettersOf(key) || (key.length === 4 && typed.length === 3)),
  )

function nearest(
  written: string,
  names: readonly string[],
  isClose: (key: string, slips: number, typed: string) => boolean,
): string | undefined {
  const typed = keyOf(written)
  const ranked = names
    .map((name) => ({ name, key: keyOf(name), slips: slipsBetween(typed, keyOf(name)) }))
    .filter(({ key, slips }) => slips === 0 || isClose(key, slips, typed))
  return ranked.toSorted((a, b) => a.slips - b.slips)[0]?.name
}

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
