import type { Span } from '../../../kit/text/span.ts'

/** What is looked for in plain text. The more of it a line has, the better the line fits. */
export interface Sought {
  /** The whole query, in lower case. */
  phrase: string
  /** Its words, in lower case; phrases in quotes count as one. */
  words: string[]
}

/** Words that say nothing on their own are ignored beside others. */
const small = new Set(
  'a an and are as at be by for from in is it of on or that the this to was what when where who with'.split(' '),
)

export function soughtIn(query: string): Sought {
  const lower = inLowerCase(query).trim()
  const found = [...lower.matchAll(/["“”„]([^"“”„]+)["“”„]|([\p{L}\p{N}][\p{L}\p{N}\p{M}._@+/'’-]*)/gu)].map(
    ([, quoted, word]) => (quoted ?? word ?? '').replace(/(?<![._@+/'’-])[._@+/'’-]+$/, '').trim(),
  )
  const words = [...new Set(found)].filter((word) => word !== '')
  const telling = words.filter((word) => !small.has(word))
  return { phrase: lower.replace(/["“”„]/g, ''), words: telling.length > 0 ? telling : words }
}

/** As long as the text itself, so that places agree: only the Turkish İ would become longer. */
const inLowerCase = (text: string): string => text.replaceAll('İ', 'i').toLowerCase()

/** How well a line fits, from 0 to 1, and where. */
export function fitOf(line: string, { phrase, words }: Sought): { score: number; spans: Span[] } {
  const text = inLowerCase(line)
  const spans = words.flatMap((word) => spansOf(text, word))
  if (spans.length === 0) return { score: 0, spans }
  const hit = words.filter((word) => text.includes(word)).length
  const whole = text.includes(phrase) ? 1 : 0.9
  return { score: (hit / words.length) * whole, spans }
}

/** The most marks for one word in a line. */
const mostSpans = 50

function spansOf(text: string, word: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(word); at !== -1 && spans.length < mostSpans; at = text.indexOf(word, at + word.length)) {
    spans.push({ start: at, end: at + word.length })
  }
  return spans
}

/** The text with its spans in bold; adjacent ones become one. */
export function bold(text: string, spans: Span[]): string {
  let shown = ''
  let end = 0
  for (const span of merged(text, spans)) {
    shown += `${text.slice(end, span.start)}**${text.slice(span.start, span.end)}**`
    end = span.end
  }
  return shown + text.slice(end)
}

function merged(text: string, spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && text.slice(last.end, span.start).trim() === '') last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}
