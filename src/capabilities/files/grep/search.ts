import { setImmediate } from 'node:timers/promises'
import type { Workspace } from '../../../domain/workspace.ts'
import type { Finder } from '../../../kit/patterns/finder.ts'
import { KeyLines } from '../../../kit/secrets/key-lines.ts'
import type { Composed } from '../../../kit/text/composed.ts'
import type { Line } from '../../../kit/text/splitter.ts'
import { readLines } from '../../../workspace/lines.ts'

export interface LineHit {
  number: number
  text: string
  matched: boolean
  /** Where the match begins in `text`. */
  at: number
}

export interface FileHits {
  hits: LineHit[]
  matches: number
  /** Lines of which only the beginning was searched. */
  cutLines: number
}

export interface Sought {
  finder: Finder
  /** A line as it is searched. */
  lineOf(line: string): Composed
}

export interface SearchOptions extends Sought {
  contextLines: number
  /** Stops after this many matches. */
  room: number
  signal: AbortSignal
}

/** Searching lines blocks the event loop; after this long others get their turn, in ms. */
const turnMs = 10

/**
 * The matching lines of one file with their neighbours. Linear in its size, and it never blocks the event loop for
 * long.
 */
export async function searchFile(workspace: Workspace, path: string, options: SearchOptions): Promise<FileHits> {
  const { finder, contextLines, room, signal } = options
  const found: FileHits = { hits: [], matches: 0, cutLines: 0 }
  const before: Line[] = []
  const key = new KeyLines()
  let after = 0
  let since = performance.now()
  for await (const { lines } of readLines(workspace, path, { keepBytes: lineCharacters(finder), signal })) {
    const matchAt = await matchesIn(lines, options)
    for (const [index, line] of lines.entries()) {
      if (performance.now() - since > turnMs) {
        await setImmediate(undefined, { signal })
        since = performance.now()
      }
      if (line.cut) found.cutLines++
      const at = found.matches < room ? matchAt(index) : -1
      line.text = key.masked(line.text)
      if (at >= 0) {
        found.hits.push(...before.splice(0).map((line) => hit(line)), hit(line, at))
        found.matches++
        after = contextLines
      } else if (after > 0) {
        found.hits.push(hit(line))
        after--
      } else if (found.matches >= room) {
        return found
      } else if (contextLines > 0) {
        before.push(line)
        if (before.length > contextLines) before.shift()
      }
    }
  }
  return found
}

const hit = ({ number, text }: Line, at = -1): LineHit => ({ number, text, matched: at >= 0, at: Math.max(0, at) })

/** How much of a line is searched. */
export const lineCharacters = (finder: Finder): number =>
  finder.kind === 'linear' ? finder.pattern.lineCharacters : backgroundCharacters

const backgroundCharacters = 16_384

/** The offset of the first match in each line, or -1. */
async function matchesIn(lines: Line[], { finder, lineOf }: Sought): Promise<(index: number) => number> {
  const whole = lines.map(({ text }) => lineOf(text))
  const texts = whole.map(({ text }) => text)
  const originOf = (index: number, at: number | undefined) => (at === undefined ? -1 : (whole[index]?.origin(at) ?? -1))
  if (finder.kind === 'background') {
    const found = await finder.find(texts, 1)
    return (index) => originOf(index, found[index]?.[0]?.start)
  }
  const { expression } = finder.pattern
  return (index) => {
    const text = texts[index] ?? ''
    if (!expression.test(text)) return -1
    const matcher = expression.matcher(text)
    return originOf(index, matcher.find() ? matcher.start() : undefined)
  }
}
