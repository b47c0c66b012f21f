import type { Span } from '../../text/span.ts'

/** Shorter words are too similar to one another, longer ones aren't words. */
const fewest = 3
const most = 40

/** How many different words of one document are remembered. */
const maxWords = 300_000

/** Characters of a block: how much is searched at once. */
const blockCharacters = 64 * 1024

/** Words as they are written, by their folded form: for finding similar and longer words. */
export class Vocabulary {
  readonly #words = new Set<string>()
  /** Those that are new since `blocks` was last asked. */
  #new: string[] = []

  /** `folded` stands at `place` of `text`. */
  add(folded: string, text: string, { start, end }: Span): void {
    if (folded.length < fewest || folded.length > most || this.#words.has(folded)) return
    if (this.#words.size >= maxWords || /\d/.test(folded)) return
    const written = text.slice(start, end).toLowerCase()
    this.#words.add(folded)
    this.#new.push(folded === written ? folded : `${folded}\t${written}`)
  }

  /** The new words, as lines of `folded` or `folded<tab>as written` with a line end before and after. */
  blocks(): string[] {
    const blocks: string[] = []
    let lines: string[] = []
    let length = 0
    for (const line of this.#new) {
      lines.push(line)
      length += line.length + 1
      if (length < blockCharacters) continue
      blocks.push(`\n${lines.join('\n')}\n`)
      lines = []
      length = 0
    }
    if (lines.length > 0) blocks.push(`\n${lines.join('\n')}\n`)
    this.#new = []
    return blocks
  }
}

/** The words of a block that contain `part`, folded. */
export function containing(block: string, part: string, room: number): string[] {
  const found: string[] = []
  for (let at = block.indexOf(part); at !== -1 && found.length < room; at = block.indexOf(part, at + 1)) {
    const start = block.lastIndexOf('\n', at) + 1
    const [folded = ''] = block.slice(start, block.indexOf('\n', at)).split('\t')
    if (start + folded.length > at) found.push(folded)
    at = block.indexOf('\n', at) - 1
  }
  return found
}

export interface Near {
  folded: string
  written: string
  distance: number
}

/** The words of a block within `limit` typos of `word`: an extra, missing or wrong letter, or two swapped. */
export function nearest(block: string, word: string, limit: number): Near[] {
  const found: Near[] = []
  const own = lettersOf(word)
  for (let start = 1; start < block.length; ) {
    const end = block.indexOf('\n', start)
    const from = start
    start = end + 1
    // Most words are passed over without being looked at: this is most of what a search for a missing word costs.
    if (
      end - from < word.length - limit ||
      (end - from > word.length + limit && !block.slice(from, end).includes('\t'))
    )
      continue
    const line = block.slice(from, end)
    const tab = line.indexOf('\t')
    const folded = tab === -1 ? line : line.slice(0, tab)
    if (Math.abs(folded.length - word.length) > limit) continue
    // A typo changes two letters at most.
    if (bits(own ^ lettersOf(folded)) > 2 * limit) continue
    const distance = distanceOf(word, folded, limit)
    if (distance <= limit) found.push({ folded, written: tab === -1 ? line : line.slice(tab + 1), distance })
  }
  return found
}

/** Which letters a word contains, as bits. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bits(number: number): number {
  let count = 0
  for (let rest = number; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Damerau's distance (two swapped neighbours count as one typo); stops counting above `limit`. */
export function distanceOf(one: string, other: string, limit: number): number {
  let [before, previous]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (previous?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous?.[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        cost = Math.min(cost, (before?.[column - 2] ?? 0) + 1)
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least > limit) return limit + 1
    ;[before, previous] = [previous, current]
  }
  return previous?.[other.length] ?? limit + 1
}
