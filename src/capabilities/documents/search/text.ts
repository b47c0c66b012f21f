import { setImmediate } from 'node:timers/promises'
import type { Workspace } from '../../../domain/workspace.ts'
import type { Finder } from '../../../kit/patterns/finder.ts'
import { KeyLines } from '../../../kit/secrets/key-lines.ts'
import type { Span } from '../../../kit/text/span.ts'
import { readLines } from '../../../workspace/lines.ts'
import { type Context, headOf, linesAbove, matchedLine } from './context.ts'
import { fitOf, soughtIn } from './line-fit.ts'

/** One place in a text file: the matching line between its neighbours. */
export interface TextMatch {
  path: string
  line: number
  lines: string[]
  score: number
}

export interface TextSearch {
  query: string
  /** Other wordings of it. */
  others: string[]
  isPattern: boolean
  /** Characters of the line that are shown around a match. */
  characters: number
  /** How many characters are shown around a match, instead of a line before and after it. */
  around: number | undefined
  most: number
  /** Takes secrets out of a text. */
  mask(text: string): string
}

/** The most lines that are shown above a match. */
const linesKept = 20

/** How many bytes of a line are searched: an expression takes far longer than words. */
const wordsBytes = 1_000_000
const patternBytes = 16_384

/** Searching lines blocks the event loop; after this long others get their turn, in ms. */
const turnMs = 10

interface Fit {
  score: number
  spans: Span[]
}

export interface Look {
  /** How many bytes of a line are searched. */
  lineBytes: number
  /** How well each of these lines fits, below another. It is computed when asked for, unless that takes a thread. */
  at(lines: string[], above: string): Promise<(index: number) => Fit>
}

const mostSpans = 20

const nothing: Fit = { score: 0, spans: [] }
const fitBy = (spans: Span[]): Fit => ({ score: spans.length > 0 ? 1 : 0, spans })

/** The fit of a line is that of the wording it fits best. `finder` is set for a regular expression. */
export function lookFor(wordings: string[], finder: Finder | undefined): Look {
  if (finder === undefined) {
    const sought = wordings.map(soughtIn)
    const bestFit = (line: string, above: string): Fit =>
      sought
        .map((one) => fitOf(line, above, one))
        .reduce((best, other) => (other.score > best.score ? other : best), { score: 0, spans: [] })
    const at: Look['at'] = async (lines, above) => (index) => bestFit(lines[index] ?? '', lines[index - 1] ?? above)
    return { lineBytes: wordsBytes, at }
  }
  if (finder.kind === 'background') {
    const at = async (lines: string[]) => {
      const found = await finder.find(lines, mostSpans)
      return (index: number) => fitBy(found[index] ?? [])
    }
    return { lineBytes: patternBytes, at }
  }
  const { expression, lineCharacters } = finder.pattern
  const found = (line: string): Fit => {
    const matcher = expression.matcher(line)
    const spans: Span[] = []
    while (spans.length < mostSpans && matcher.find()) spans.push({ start: matcher.start(), end: matcher.end() })
    return fitBy(spans)
  }
  return {
    lineBytes: Math.min(patternBytes, lineCharacters),
    at: async (lines) => (index) => found(lines[index] ?? ''),
  }
}

/** The best matches of a file, and of how many lines only the beginning was searched. */
interface TextFound {
  matches: TextMatch[]
  cutLines: number
}

/**
 * The best matching lines of a file, each with one line before and after it. Works for files of any size without
 * blocking the event loop.
 */
export async function searchText(
  workspace: Workspace,
  path: string,
  look: Look,
  { characters, around, most, mask }: TextSearch,
  signal: AbortSignal,
): Promise<TextFound> {
  const best: TextMatch[] = []
  const shown = around === undefined ? { lineCharacters: characters } : { reach: Math.ceil(around / 2) }
  const context: Context = { ...shown, mask }
  /** Nearest first, as far as they may be shown. */
  let above: string[] = []
  let last: { match: TextMatch; number: number; left: number } | undefined
  const key = new KeyLines()
  let cutLines = 0
  let since = performance.now()
  for await (const { lines } of readLines(workspace, path, { keepBytes: look.lineBytes, signal })) {
    const fitAt = await look.at(
      lines.map(({ text }) => text),
      above[0] ?? '',
    )
    for (const [index, { number, text: whole, cut }] of lines.entries()) {
      const text = key.masked(whole)
      if (performance.now() - since > turnMs) {
        await setImmediate(undefined, { signal })
        since = performance.now()
      }
      if (cut) cutLines++
      // Lines below belong to the match above, even if they match themselves.
      if (last !== undefined && last.left > 0 && last.number === number - 1) {
        last.match.lines.push(headOf(text, last.left, mask))
        last = 'reach' in context ? { ...last, number, left: last.left - text.length - 1 } : undefined
      }
      const { score, spans } = text === whole ? fitAt(index) : nothing
      const worst = best.at(-1)
      if (score > 0 && (best.length < most || score > (worst?.score ?? 0))) {
        const shown = matchedLine(text, spans, context)
        const lines = [...linesAbove(above, shown.before - 1, context), shown.text]
        const match = { path, line: number, lines, score }
        last = { match, number, left: 'reach' in context ? shown.after - 1 : characters + 40 }
        insert(best, match, most)
      }
      const isFull = !('reach' in context) || text.length >= context.reach
      above = [text, ...(isFull ? [] : above)].slice(0, linesKept)
    }
  }
  return { matches: best, cutLines }
}

/** Best first; equal ones in the order of the file. */
function insert(best: TextMatch[], match: TextMatch, most: number): void {
  const at = best.findIndex(({ score }) => score < match.score)
  best.splice(at === -1 ? best.length : at, 0, match)
  if (best.length > most) best.pop()
}
