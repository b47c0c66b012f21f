import { matchesIn } from './matches.ts'
import type { SecretSpan } from './span.ts'

export const privateKeyKind = 'a private key'

/** More than the longest key in use (RSA with 16,384 bits: 13 kB), with room for quoting, in UTF-16 units. */
export const maxPrivateKey = 20_000
/** The shortest run of characters that counts as a line of a key. Only the last two lines may be shorter. */
const minLine = 16
const maxShortLines = 2

const begin = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const end = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** Line breaks, also escaped ones, quotes, and the signs of lists and quotations. */
const between = /(?:\\[nrt]|[\s\\"',>|#])*/y
/** What grep and diffs write in front of a line, as in `a/id_rsa-13-`, `12: `, `-`. Not in front of END or a header. */
const prefix =
  /(?<=[\r\n][ \t>|]{0,20})(?!-{5}END |[A-Z][A-Za-z-]{2,20}: )(?:(?:(?!(?:Proc-Type|DEK-Info|Version|Comment): )[^\s:]){1,200}[-:])?(?:\d{1,7}[-:])?[ \t]?[+-]?[ \t]?(?=-{5}END |(?!END )[A-Za-z0-9+/=]|[\r\n]|$)/y
const header = /[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,120}/y
/** Any other may be a command between two lines that look like a key, so people have to see it. */
const plainHeader =
  /^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): [\w .,:/+=@#-]{1,100}(?: \([\w/.-]{1,20}\))?$/
const line = /[A-Za-z0-9+/=]+/y
/** Everything that `begin` and `end` may look like before they are complete. */
const maxMark = 90
const halfBegin = /^-----BEGIN[A-Z0-9 ]{0,70}-{0,5}$/
const halfEnd = /^-{1,5}(?:E|EN|END[A-Z0-9 ]{0,70}-{0,5})?$/

/** From the BEGIN line to the END line, or, if the end was cut off, as far as the lines look like a key. */
export function privateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const { 0: found, index } of matchesIn(text, begin)) {
    const block = blockAt(text, index, index + found.length)
    if (block.isKey) spans.push(...around(block, index))
  }
  return spans
}

/** The block without the headers that stay. */
function around({ end, shown }: Block, from: number): SecretSpan[] {
  const starts = [from, ...shown.map((one) => one.end)]
  const ends = [...shown.map((one) => one.start), end]
  return starts.flatMap((start, at) => {
    const until = Math.min(ends[at] ?? end, end)
    return start < until ? [{ start, end: until, kind: privateKeyKind, weight: 1 as const }] : []
  })
}

/** Where an unfinished private key starts at the end of the text; the length of the text if there is none. */
export function privateKeyBegun(text: string): number {
  const start = text.lastIndexOf('-----BEGIN')
  if (start === -1 || text.length - start > maxPrivateKey) return text.length
  if (halfBegin.test(text.slice(start, start + maxMark))) return start
  const [found] = text.slice(start).matchAll(begin)
  if (found?.index !== 0) return text.length
  const { isOpen, isBegun } = blockAt(text, start, start + found[0].length)
  return isOpen || isBegun ? start : text.length
}

interface Block {
  end: number
  isKey: boolean
  /** The text ended first. */
  isOpen: boolean
  /** The text ended in what may stand in front of the next line. */
  isBegun: boolean
  /** Headers that aren't part of the secret. */
  shown: { start: number; end: number }[]
}

function blockAt(text: string, start: number, from: number): Block {
  const limit = Math.min(text.length, start + maxPrivateKey)
  const shown: Block['shown'] = []
  let last = from
  let at = from
  for (let short = 0; at < limit; ) {
    const next = lineStart(text, at, limit)
    const closed = after(end, text, next)
    if (closed > next) return { end: closed, isKey: last > from, isOpen: false, isBegun: false, shown }
    const named = after(header, text, next)
    const stop = Math.min(limit, named > next ? named : after(line, text, next))
    if (named > next && !plainHeader.test(text.slice(next, stop))) shown.push({ start: next, end: stop })
    short = stop - next < minLine && named === next ? short + 1 : 0
    at = stop
    if (stop === next || short > maxShortLines) break
    if (short === 0 && named === next) last = stop
  }
  const tail = text.slice(at, at + maxMark)
  const isOpen = at >= text.length || (at + tail.length === text.length && halfEnd.test(tail))
  const isKey = last > from
  const isBegun = at - start < maxPrivateKey && isPrefixBegun(text, from, at)
  return { end: isOpen && isKey ? text.length : last, isKey, isOpen, isBegun, shown }
}

/** Where the key goes on: behind line breaks, and what stands in front of its next line. */
function lineStart(text: string, from: number, limit: number): number {
  let at = from
  while (at < limit) {
    const next = after(prefix, text, after(between, text, at))
    if (next === at) break
    at = next
  }
  return at
}

/** The text ends in a line below BEGIN's that isn't the key's so far, but may only have a prefix. */
const isPrefixBegun = (text: string, from: number, at: number): boolean =>
  /[\r\n]/.test(text.slice(from, at)) && /^[^\r\n]{0,300}$/.test(text.slice(at, at + 301))

function after(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
