import { maskedLine } from '../../../kit/secrets/masked-line.ts'
import type { Span } from '../../../kit/text/span.ts'
import { bold } from './line-fit.ts'

type Mask = (text: string) => string

/** What is shown around a match: either a line before and after it, cut if long, or this many characters. */
export type Context = ({ lineCharacters: number } | { reach: number }) & { mask: Mask }

/** A line around its first match, which is in bold, and how many characters may still be shown before and after it. */
export function matchedLine(line: string, spans: Span[], context: Context) {
  const first = spans.reduce((least, one) => (one.start < least.start ? one : least), { start: line.length, end: 0 })
  const [back, ahead] = 'reach' in context ? [context.reach, context.reach] : [context.lineCharacters, 0]
  const reach = 'reach' in context ? Math.max(0, first.end - first.start) + ahead : context.lineCharacters + 40
  // A line that is shown whole is masked with the passage.
  const isCut = first.start > back || first.start + reach < line.length
  const { text, at } = isCut
    ? maskedLine(line, first.start, context.mask, Math.max(back, reach))
    : { text: line, at: first.start }
  const start = Math.max(0, at - back)
  const end = at + reach
  return {
    text: piece(text, start, Math.min(text.length, end), text === line ? spans : []),
    before: back - at,
    after: end - text.length,
  }
}

/** The beginning of a line below a match, or the end of one above it. */
export function headOf(line: string, characters: number, mask: Mask): string {
  const { text } = line.length > characters ? maskedLine(line, 0, mask, characters) : { text: line }
  return piece(text, 0, Math.min(text.length, characters))
}

function tailOf(line: string, characters: number, mask: Mask): string {
  const { text } = line.length > characters ? maskedLine(line, line.length, mask, characters) : { text: line }
  return piece(text, Math.max(0, text.length - characters), text.length)
}

function piece(line: string, start: number, end: number, spans: Span[] = []): string {
  const inside = spans.flatMap((span) =>
    span.start >= start && span.end <= end ? [{ start: span.start - start, end: span.end - start }] : [],
  )
  const text = bold(line.slice(start, end).toWellFormed(), inside)
  return `${start > 0 ? '…' : ''}${text}${end < line.length ? '…' : ''}`
}

/** Lines above a match that are shown before it, nearest first. */
export function linesAbove(lines: string[], left: number, context: Context): string[] {
  if (!('reach' in context))
    return lines.slice(0, 1).map((line) => headOf(line, context.lineCharacters + 40, context.mask))
  const shown: string[] = []
  for (const line of lines) {
    if (left <= 0) break
    shown.unshift(tailOf(line, left, context.mask))
    left -= line.length + 1
  }
  return shown
}
