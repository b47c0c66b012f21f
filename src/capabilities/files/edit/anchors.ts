import { blockSplice, indentOf, isBlank, type Lines, linesOf, type Splice, type Wanted, wantedLines } from './places.ts'
import { similarity } from './similarity.ts'

/** How similar the lines between the anchors must be; below that, an edit might overwrite something else. */
const middleSimilarity = 0.5
/** Blocks and ends that are compared. With more, the anchors say nothing, and comparing takes long. */
const maxPairs = 200

/** A block whose first line matches, and the lines that may be its last. */
interface Block {
  from: number
  ends: number[]
}

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
  const blocks = blocksOf(all.lines, old, first, last)
  const isUnclear = ({ ends }: Block) => ends.length > 1
  if (blocks.reduce((sum, { ends }) => sum + ends.length, 0) > maxPairs) {
    const unclear = blocks.find(isUnclear)
    return { places: [], ...(unclear && { doubt: doubtOfEnd(unclear) }) }
  }
  const middle = trimmed(old.slice(1, -1))
  const isNear = ({ from, ends }: Block) => ends.some((to) => isAlike(trimmed(all.lines.slice(from + 1, to)), middle))
  const near = blocks.filter(isNear)
  if (near.length === 0) return { places: [] }
  const unclear = near.find(isUnclear)
  if (unclear !== undefined) return { places: [], doubt: doubtOfEnd(unclear) }
  if (near.length < blocks.length) return { places: [], doubt: doubtOfBlock(blocks) }
  return { places: near.map((block) => placeOf(all, block, wanted)) }
}

const placeOf = (all: Lines, { from, ends: [to = from] }: Block, wanted: Wanted): Splice =>
  blockSplice(all, from, to - from + 1, wanted)

function blocksOf(lines: string[], old: string[], first: string, last: string): Block[] {
  const shape = shapeOf(old)
  const blocks: Block[] = []
  for (let from = 0; from < lines.length && blocks.length <= maxPairs; from++) {
    if (lines[from]?.trim() !== first) continue
    const end = shape === 'closed' ? endOfClosed(lines, from, last) : shape && endOfHanging(lines, from, last, shape)
    const ends = end === undefined ? linesLike(lines, from + 1, last) : [end]
    if (ends.length > 0) blocks.push({ from, ends })
  }
  return blocks
}

const linesLike = (lines: string[], from: number, sought: string): number[] =>
  lines.flatMap((line, at) => (at >= from && line.trim() === sought ? [at] : []))

/**
 * How a block is indented: its first and last line equally far, or the last hanging this much below the first.
 * Undefined if the indentation tells nothing.
 */
function shapeOf(block: string[]): 'closed' | { lastIsDeeperBy: string } | undefined {
  const [first = '', ...rest] = block
  const base = indentOf(first)
  const last = indentOf(rest.at(-1) ?? '')
  const inner = rest.slice(0, -1).filter((line) => !isBlank(line))
  if (inner.length === 0 || !inner.every((line) => isDeeper(line, base))) return undefined
  if (last === base) return 'closed'
  return last.startsWith(base) ? { lastIsDeeperBy: last.slice(base.length) } : undefined
}

/** Where the lines that are indented deeper than this one end. */
function endOfRun(lines: string[], from: number): number {
  const base = indentOf(lines[from] ?? '')
  let end = from + 1
  while (end < lines.length && (isBlank(lines[end] ?? '') || isDeeper(lines[end] ?? '', base))) end++
  return end
}

/** The line that closes the block, if it matches and nothing of the block follows it. */
function endOfClosed(lines: string[], from: number, last: string): number | undefined {
  const to = endOfRun(lines, from)
  const base = indentOf(lines[from] ?? '')
  const end = lines[to]
  if (end === undefined || end.trim() !== last || indentOf(end) !== base) return undefined
  const next = lines.slice(to + 1).find((line) => !isBlank(line)) ?? ''
  if (isDeeper(next, base)) return undefined
  const block = lines.slice(from, to + 1)
  return shapeOf(block) === 'closed' && isWhole(block.join('\n')) ? to : undefined
}

/** The only matching line below this one. */
function endOfHanging(lines: string[], from: number, last: string, { lastIsDeeperBy }: { lastIsDeeperBy: string }) {
  const run = lines.slice(from, endOfRun(lines, from))
  const [to, another] = linesLike(run, 1, last)
  if (to === undefined || another !== undefined || !isWhole(run.join('\n'))) return undefined
  return indentOf(run[to] ?? '') === indentOf(run[0] ?? '') + lastIsDeeperBy ? from + to : undefined
}

const isDeeper = (line: string, base: string): boolean => {
  const indent = indentOf(line)
  return indent.length > base.length && indent.startsWith(base)
}

const pairs = [
  ['{', '}'],
  ['(', ')'],
  ['[', ']'],
  ['/*', '*/'],
] as const

/** Everything opened in it is closed in it; otherwise its last line may be inside a string or comment. */
function isWhole(block: string): boolean {
  const count = (mark: string) => block.split(mark).length - 1
  return (
    pairs.every(([open, close]) => count(open) === count(close)) &&
    ['`', '"""', "'''"].every((mark) => count(mark) % 2 === 0)
  )
}

const trimmed = (lines: string[]): string => lines.map((line) => line.trim()).join('\n')

function isAlike(one: string, other: string): boolean {
  // Two texts can't share more than the shorter one has.
  const most = (2 * Math.min(one.length, other.length)) / Math.max(1, one.length + other.length)
  return one === other || (most >= middleSimilarity && similarity(one, other) >= middleSimilarity)
}

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
