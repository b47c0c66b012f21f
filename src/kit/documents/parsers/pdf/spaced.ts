import type { Run } from './run.ts'

/** How far apart words with spaced-out letters are at most, in type sizes. */
const farthestWord = 1.4

/**
 * Runs from left to right without the spaces that spaced-out letters seem to have ("S c o p e"). A row counts as spaced
 * out if one of its runs is; words of such a row are further apart than others, so they become one run.
 */
export function withoutSpread(runs: Run[]): Run[] {
  if (!runs.some((run) => isSpread(run.text) && isWord(run.text))) return runs
  const joined: Run[] = []
  let wasSpread = false
  for (const run of runs) {
    const before = joined.at(-1)
    const is = isSpread(run.text)
    const text = is ? together(run.text) : run.text
    if (before !== undefined && is && wasSpread && run.left - before.right < farthestWord * run.size) {
      joined[joined.length - 1] = {
        ...before,
        text: `${before.text} ${text}`,
        ...withoutSeen,
        right: Math.max(before.right, run.right),
      }
    } else joined.push(is ? { ...run, text, ...withoutSeen } : run)
    wasSpread = is
  }
  return joined
}

/** What was seen no longer fits. */
const withoutSeen = { seen: undefined }

/** Single characters with a space between each two. */
function isSpread(text: string): boolean {
  if (text.length < 3 || text.length % 2 === 0) return false
  for (let at = 0; at < text.length; at++) if ((text[at] === ' ') !== (at % 2 === 1)) return false
  return true
}

/** At least four letters that aren't a list such as `A B C D`. */
function isWord(text: string): boolean {
  const letters = text.toLowerCase().replaceAll(' ', '')
  if (!/^[\p{L}\d.:&/-]{4,}$/u.test(letters) || !/\p{L}{4}/u.test(letters)) return false
  const rising = [...letters].filter((letter, index, all) => index > 0 && letter > (all[index - 1] ?? '')).length
  return rising < letters.length - 1 && new Set(letters).size > 2
}

/** A number after a word is a word of its own: nothing else shows that for `f o r 2 0 2 4`. */
const together = (text: string): string => text.replaceAll(' ', '').replace(/(?<=\p{L}{2})(?=\d)/gu, ' ')
