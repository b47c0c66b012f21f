import { indentOf, isBlank, isDeeper } from './places.ts'

/** A block whose first line matches, and the lines that may be its last. */
export interface Block {
  from: number
  ends: number[]
}

/**
 * The blocks that begin and end like `old`, in order; `bare` are the lines without white space around them. Stops as
 * soon as they make more than `most` pairs of a block and an end.
 */
export function blocksOf(lines: string[], bare: string[], old: string[], most: number) {
  const [first = '', last = ''] = [old[0]?.trim(), old.at(-1)?.trim()]
  const lasts = linesLike(bare, last)
  const shape = shapeOf(old)
  const blocks: Block[] = []
  let pairs = 0
  let next = 0
  for (const from of linesLike(bare, first)) {
    while (next < lasts.length && (lasts[next] ?? 0) <= from) next++
    if (next === lasts.length || pairs > most) break
    const end = shape === 'closed' ? endOfClosed(lines, from, last) : shape && endOfHanging(lines, from, last, shape)
    const ends = end === undefined ? lasts.slice(next, next + most + 1) : [end]
    pairs += ends.length
    blocks.push({ from, ends })
  }
  return { blocks, pairs }
}

const linesLike = (bare: string[], sought: string): number[] =>
  bare.flatMap((line, at) => (line === sought ? [at] : []))

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
  let next = to + 1
  while (next < lines.length && isBlank(lines[next] ?? '')) next++
  if (isDeeper(lines[next] ?? '', base)) return undefined
  const block = lines.slice(from, to + 1)
  return shapeOf(block) === 'closed' && isWhole(block.join('\n')) ? to : undefined
}

/** The only matching line below this one. */
function endOfHanging(lines: string[], from: number, last: string, { lastIsDeeperBy }: { lastIsDeeperBy: string }) {
  const run = lines.slice(from, endOfRun(lines, from))
  const [to, another] = linesLike(
    run.map((line, at) => (at === 0 ? '' : line.trim())),
    last,
  )
  if (to === undefined || another !== undefined || !isWhole(run.join('\n'))) return undefined
  return indentOf(run[to] ?? '') === indentOf(run[0] ?? '') + lastIsDeeperBy ? from + to : undefined
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
