import type { Finder } from '../../../kit/patterns/finder.ts'
import { type Composed, lineFor } from '../../../kit/text/composed.ts'
import type { Span } from '../../../kit/text/span.ts'
import { fitOf, soughtIn } from './line-fit.ts'

/** How many bytes of a line are searched: an expression takes far longer than words. */
const wordsBytes = 1_000_000
const patternBytes = 16_384

export interface Fit {
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

export const nothing: Fit = { score: 0, spans: [] }

/** Patterns are searched in the text as `composed` writes it, and shown where they stand in the line. */
const fitBy = (line: Composed | undefined, spans: readonly Span[] = []): Fit => {
  if (line === undefined || spans.length === 0) return nothing
  return { score: 1, spans: spans.map(({ start, end }) => ({ start: line.origin(start), end: line.origin(end) })) }
}

/** The fit of a line is that of the wording it fits best. `finder` is that of a composed regular expression. */
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
  const searched = lineFor(wordings.join(' '))
  if (finder.kind === 'background') {
    const at = async (lines: string[]) => {
      const texts = lines.map(searched)
      const found = await finder.find(
        texts.map(({ text }) => text),
        mostSpans,
      )
      return (index: number) => fitBy(texts[index], found[index])
    }
    return { lineBytes: patternBytes, at }
  }
  const { expression, lineCharacters } = finder.pattern
  const found = (line: string): Fit => {
    const whole = searched(line)
    const matcher = expression.matcher(whole.text)
    const spans: Span[] = []
    while (spans.length < mostSpans && matcher.find()) spans.push({ start: matcher.start(), end: matcher.end() })
    return fitBy(whole, spans)
  }
  return {
    lineBytes: Math.min(patternBytes, lineCharacters),
    at: async (lines) => (index) => found(lines[index] ?? ''),
  }
}
