import { maxSecret } from './span.ts'

/**
 * What a line has around `at`, up to `reach` characters on each side, without its secrets, and where `at` is now; the
 * whole line if there are none. Comes before any cut: nobody recognizes half a secret. The work doesn't grow with what
 * lies farther away.
 */
export function maskedLine(
  line: string,
  at: number,
  mask: (text: string) => string,
  reach = line.length,
): { text: string; at: number } {
  const start = Math.max(0, at - reach)
  const end = Math.min(line.length, at + reach)
  const from = Math.max(0, start - maxSecret)
  const around = line.slice(from, end + maxSecret)
  const text = mask(around)
  if (text === around) return { text: line, at }
  /** Where a place is now. Inside a secret it is where the secret begins, or behind it. */
  const moved = (place: number): number => {
    if (place === 0) return 0
    return place === line.length ? text.length : shared(mask(around.slice(0, place - from)), text)
  }
  const first = moved(start)
  const last = Math.max(first, moved(end))
  const lead = start > 0 ? '…' : ''
  return {
    text: `${lead}${text.slice(first, last).toWellFormed()}${end < line.length ? '…' : ''}`,
    at: lead.length + Math.min(last, Math.max(first, moved(at))) - first,
  }
}

/** How many characters both begin with, without a part of a mask: two kinds may begin with the same words. */
function shared(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  const mask = other.slice(0, at).lastIndexOf('[secret: ')
  return mask === -1 || other.slice(mask, at).includes(']') ? at : mask
}

const boldWords = /\*\*(?=[\p{L}\p{N}_])([^*\n]+)(?<=[\p{L}\p{N}_])\*\*/gu

/**
 * A passage with its matches in bold, or masked and without them, if they might break a secret apart. Other `**`, as in
 * `src/**\/*.ts`, stay if they don't.
 */
export function unbroken(passage: string, mask: (text: string) => string): string {
  const whole = mask(passage)
  const plain = whole.replaceAll('**', '')
  const masked = mask(plain)
  if (masked === plain) return passage
  const kept = mask(whole.replace(boldWords, '$1'))
  return kept.replaceAll('**', '') === masked ? kept : masked
}
