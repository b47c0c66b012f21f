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
/**
 * What grep and diffs write in front of a line, as in `a/id_rsa-13-`, `12: ` and `+`. Only the path that also stands in
 * front of BEGIN counts: people see it there, so that nothing runs unseen.
 */
const lead = /^[ \t>|]{0,20}(?:([\w./@+:-]{1,200}?)[-:])??(?:\d{1,7}[-:])?[ \t]?(?:[+<-][ \t]?)?$/
const maxLead = 240
/** Behind the path, and only before END, a header, or what is nothing but a line of a key. */
const mark =
  /(?:\d{1,7}[-:])?[ \t]?(?:[+<-][ \t]?)?(?=-{5}END |-{0,5}(?:E|EN|END)?$|[A-Z][A-Za-z-]{2,20}: |[A-Za-z0-9+/=]*[ \t]*(?:[\r\n]|$))/y
const markBehindPath = new RegExp(`[-:]${mark.source}`, 'y')
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
  return blockAt(text, start, start + found[0].length).isOpen ? start : text.length
}

interface Block {
  end: number
  isKey: boolean
  /** The text ended first. */
  isOpen: boolean
  /** Headers that aren't part of the secret. */
  shown: { start: number; end: number }[]
}

function blockAt(text: string, start: number, from: number): Block {
  const limit = Math.min(text.length, start + maxPrivateKey)
  const shown: Block['shown'] = []
  const path = pathBefore(text, start)
  let last = from
  let at = from
  for (let short = 0; at < limit; ) {
    const next = lineStart(text, at, path)
    const closed = after(end, text, next)
    if (closed > next) return { end: closed, isKey: last > from, isOpen: false, shown }
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
  return { end: isOpen && isKey ? text.length : last, isKey, isOpen, shown }
}

/** The path in front of BEGIN, '' if there are only numbers and signs, undefined if its line begins otherwise. */
function pathBefore(text: string, start: number): string | undefined {
  const before =
    text
      .slice(Math.max(0, start - maxLead), start)
      .split(/[\r\n]/)
      .at(-1) ?? ''
  const found = before === '' ? null : lead.exec(before)
  return found === null ? undefined : (found[1] ?? '')
}

/** Where the key goes on: behind line breaks, and what is in front of its next line. */
function lineStart(text: string, from: number, path: string | undefined): number {
  let at = after(between, text, from)
  while (path !== undefined && isLineStart(text, at)) {
    // The text may end within the path.
    if (path.startsWith(text.slice(at))) return text.length
    const behind = at + path.length
    const end = text.startsWith(path, at) ? after(path === '' ? mark : markBehindPath, text, behind) : at
    if (end <= behind) break
    at = after(between, text, end)
  }
  return at
}

const isLineStart = (text: string, at: number): boolean =>
  /[\r\n][ \t>|]{0,20}$/.test(text.slice(Math.max(0, at - 21), at))

function after(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
