import { setImmediate } from 'node:timers/promises'
import type { Workspace } from '../../../domain/workspace.ts'
import { KeyLines } from '../../../kit/secrets/key-lines.ts'
import { readLines } from '../../../workspace/lines.ts'
import { type Context, headOf, linesAbove, matchedLine } from './context.ts'
import { type Look, nothing } from './look.ts'

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

/** Searching lines blocks the event loop; after this long others get their turn, in ms. */
const turnMs = 10

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
