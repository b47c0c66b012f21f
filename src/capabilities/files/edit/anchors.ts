import { blockSplice, indentOf, isBlank, type Lines, linesOf, type Splice, type Wanted, wantedLines } from './places.ts'
import { similarity } from './similarity.ts'

/** How alike the lines between the anchors must be; below it something else would be overwritten. */
const middleSimilarity = 0.5
/** Blocks and ends that are compared. With more of them the anchors say nothing, and comparing takes long. */
const maxPairs = 200

/** A block whose first line is the one that was given, and the lines that may be its last. */
interface Block {
  from: number
  ends: number[]
}

export interface ByAnchors {
  places: Splice[]
  /** Why none of the places that its first and last line fit can be taken, as a sentence. */
  doubt?: string
}

/**
 * Finds a text by its first and last line, where the lines between are nearly right. The end of a block is taken only
 * where there is no other: its indentation tells it, or no other such line follows.
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
 * How a block stands by its indentation: between two lines that are equally far left, or hanging below its first line, with the
 * last so much further right. Undefined when its indentation tells nothing.
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

/** Where the lines that stand further right than this one end. */
function endOfRun(lines: string[], from: number): number {
  const base = indentOf(lines[from] ?? '')
  let end = from + 1
  while (end < lines.length && (isBlank(lines[end] ?? '') || isDeeper(lines[end] ?? '', base))) end++
  return end
}

/** The line that closes the block, where it is the one that is sought and nothing of the block goes on behind it. */
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

/** The only line below this one that is the one that is sought. */
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

/** What is opened in it is closed in it: otherwise its last line may stand in a text or a comment. */
function isWhole(block: string): boolean {
  const count = (mark: string) => block.split(mark).length - 1
  return (
    pairs.every(([open, close]) => count(open) === count(close)) &&
    ['`', '"""', "'''"].every((mark) => count(mark) % 2 === 0)
  )
}

const trimmed = (lines: string[]): string => lines.map((line) => line.trim()).join('\n')

function isAlike(one: string, other: string): boolean {
  // No two texts share more than the shorter one has.
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
  `old_string fits only by its first and last line, and which line is its end is ambiguous: it begins on line ${from + 1}, and lines ${named(ends)} could all be the last.`

const doubtOfBlock = (blocks: Block[]): string =>
  `old_string fits only by its first and last line, and several blocks begin and end so: on lines ${named(blocks.map(({ from }) => from))}.`
