import { type Block, blocksOf } from './blocks.ts'
import { blockSplice, type Lines, linesOf, type Splice, type Wanted, wantedLines } from './places.ts'
import { similarTo } from './similarity.ts'

/** How similar the lines between the anchors must be; below that, an edit might overwrite something else. */
const middleSimilarity = 0.5
/** Pairs of a block and an end that are compared. With more, the anchors say nothing, and comparing takes long. */
const maxPairs = 200
/** The same for the characters between first and last line. */
const maxCharacters = 2_000_000

export interface ByAnchors {
  places: Splice[]
  /** A sentence that says why none of the matching blocks can be used. */
  doubt?: string
}

/**
 * Finds a text by its first and last line, if the lines between are nearly right. A block must have only one possible
 * end: its indentation shows it, or no other matching line follows.
 */
export function findByAnchors(text: string, wanted: Wanted): ByAnchors {
  const { lines: old } = wantedLines(wanted.old)
  const first = old[0]?.trim()
  const last = old.at(-1)?.trim()
  if (old.length < 3 || !first || !last) return { places: [] }
  const all = linesOf(text)
  const whole = trimmed(all.lines)
  const bare = linesOf(whole)
  const { blocks, pairs } = blocksOf(all.lines, bare.lines, old, maxPairs)
  const isUnclear = ({ ends }: Block) => ends.length > 1
  const middle = trimmed(old.slice(1, -1))
  if (pairs > maxPairs || pairs * middle.length > maxCharacters) {
    const unclear = blocks.find(isUnclear)
    return { places: [], ...(unclear && { doubt: doubtOfEnd(unclear) }) }
  }
  const isAlike = similarTo(middle, middleSimilarity)
  const between = (from: number, to: number) => whole.slice(bare.starts[from + 1], (bare.starts[to] ?? 0) - 1)
  const near = blocks.filter(({ from, ends }) => ends.some((to) => isAlike(between(from, to)) > 0))
  if (near.length === 0) return { places: [] }
  const unclear = near.find(isUnclear)
  if (unclear !== undefined) return { places: [], doubt: doubtOfEnd(unclear) }
  if (near.length < blocks.length) return { places: [], doubt: doubtOfBlock(blocks) }
  return { places: near.map((block) => placeOf(all, block, wanted)) }
}

const placeOf = (all: Lines, { from, ends: [to = from] }: Block, wanted: Wanted): Splice =>
  blockSplice(all, from, to - from + 1, wanted)

const trimmed = (lines: string[]): string => lines.map((line) => line.trim()).join('\n')

const mostNamed = 10

function named(numbers: number[]): string {
  const more = numbers.length > mostNamed ? ', …' : ''
  return `${numbers
    .slice(0, mostNamed)
    .map((at) => at + 1)
    .join(', ')}${more}`
}

const doubtOfEnd = ({ from, ends }: Block): string =>
  `Only the first and last line of old_string match, and its end is ambiguous: it begins on line ${from + 1}, and lines ${named(ends)} could all be its last.`

const doubtOfBlock = (blocks: Block[]): string =>
  `Only the first and last line of old_string match, and several blocks begin and end like that: on lines ${named(blocks.map(({ from }) => from))}.`
