import { foldText, isAscii } from '../../../kit/documents/chunks/fold.ts'
import type { Span } from '../../../kit/text/span.ts'
import { formsOf, partsOf, placesOf, type WordForms } from '../../../kit/text/word-forms.ts'

/** What is looked for in plain text. The more of it a line has, the better the line fits. */
export interface Sought {
  /** The whole query, folded. */
  phrase: string
  /** Its words, folded; phrases in quotes count as one. */
  words: WordForms[]
}

/** Words that say nothing on their own are ignored beside others. */
const small = new Set(
  'a an and are as at be by for from in is it of on or that the this to was what when where who with'.split(' '),
)

export function soughtIn(query: string): Sought {
  const found = [...query.matchAll(/["“”„]([^"“”„]+)["“”„]|([\p{L}\p{N}][\p{L}\p{N}\p{M}._@+/'’-]*)/gu)].map(
    ([, quoted, word]) => ({
      written: (quoted ?? word ?? '').replace(/(?<![._@+/'’-])[._@+/'’-]+$/, ''),
      isQuoted: quoted !== undefined,
    }),
  )
  const forms = found.flatMap(({ written, isQuoted }): WordForms[] =>
    isQuoted ? [{ word: folded(written).trim() }] : [written, ...partsOf(written)].map((one) => formsOf(one, folded)),
  )
  const words = [...new Map(forms.map((one) => [one.word, one])).values()].filter(({ word }) => word !== '')
  const telling = words.filter(({ word }) => !small.has(word))
  return {
    phrase: folded(query)
      .trim()
      .replace(/["“”„]/g, ''),
    words: telling.length > 0 ? telling : words,
  }
}

/** Without case and accents, with one space for any white space: as documents are searched. */
const folded = (text: string): string => {
  const plain = foldText(text)
  return /\s\s|[^\S ]/.test(plain) ? plain.replace(/\s+/g, ' ') : plain
}

/** The most marks for one word in a line. */
const mostSpans = 50

/** How well a line fits, from 0 to 1, and where. A phrase may begin in the line above. */
export function fitOf(line: string, above: string, { phrase, words }: Sought): { score: number; spans: Span[] } {
  const text = folded(line)
  const found = words.map((one) => {
    const places = placesOf(text, one, mostSpans)
    if (places.worth > 0) return places
    const spans = endOf(one.word, above, text)
    return { spans, worth: spans.length > 0 ? 1 : 0 }
  })
  const worth = found.reduce((sum, one) => sum + one.worth, 0)
  if (worth === 0) return { score: 0, spans: [] }
  const whole = text.includes(phrase) ? 1 : 0.9
  const spans = found.flatMap((one) => one.spans)
  return { score: (worth / words.length) * whole, spans: unfolded(line, text, spans) }
}

/** The rest of a phrase that begins in the line above. */
function endOf(word: string, above: string, text: string): Span[] {
  if (!word.includes(' ')) return []
  // Both are shorter than the phrase, so it can only lie in both.
  const start = folded(above.slice(-2 * word.length))
    .trimEnd()
    .slice(-(word.length - 1))
  const indent = text.length - text.trimStart().length
  const at = `${start} ${text.slice(indent, indent + word.length - 1)}`.indexOf(word)
  return at === -1 ? [] : [{ start: indent, end: indent + at + word.length - start.length - 1 }]
}

/** White space, or a character with its accents. */
const pieces = /\s+|\P{M}\p{M}*|\p{M}+/gu

/** Where spans of the folded line are in the line itself. */
function unfolded(line: string, text: string, spans: Span[]): Span[] {
  if (text.length === line.length && isAscii(line)) return spans
  const last = spans.reduce((most, { end }) => Math.max(most, end), 0)
  /** For each character of the folded line, the piece that it comes from. */
  const from: Span[] = []
  for (const { 0: piece, index: start } of line.matchAll(pieces)) {
    if (from.length >= last) break
    const one = folded(piece)
    const isJoined = one.startsWith(' ') && text[from.length - 1] === ' '
    for (let left = one.length - (isJoined ? 1 : 0); left > 0; left--) from.push({ start, end: start + piece.length })
  }
  return spans.map(({ start, end }) => ({ start: from[start]?.start ?? 0, end: from[end - 1]?.end ?? line.length }))
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
