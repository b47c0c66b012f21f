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
const blockEnd = new RegExp(end.source)
/**
 * The first line of a private key whose BEGIN line is elsewhere: what is encoded begins with a version number, unlike
 * in a certificate or a public key.
 */
const head =
  /(?<![A-Za-z0-9+/=_-])(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA(?:A[JK]|D(?:A|CC))|MI[E-H][A-Za-z0-9+/]AgE(?:AM|BB)|M[A-H][A-Za-z0-9+/]CAQ(?:Aw|EE)|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{32,16000}={0,2}/g
/** Line breaks, also escaped ones and those of cells, quotes, and the signs of lists and quotations. */
const between = /(?:\\[nrt]|<br ?\/?>|\$(?=[\r\n])|[\s\\"',>|#])*/y
/**
 * What grep and diffs write in front of a line, as in `a/id_rsa-13-`, `12: ` and `+`. Only the path that also stands in
 * front of BEGIN counts: people see it there, so that nothing runs unseen.
 */
const lead = /^[ \t>|]{0,20}(?:([\w./@:][\w./@+:-]{0,199}?)[-:])??(?:\d{1,7}[-:])?[ \t]?(?:[+<-][ \t]?)?$/
const maxLead = 240
/** Behind the path, and only before END, a header, or what is nothing but a line of a key. */
const mark =
  /(?:\d{1,7}[-:])?[ \t]?(?:[+<-][ \t]?)?(?=-{5}END |-{0,5}(?:E|EN|END)?$|[A-Z][A-Za-z-]{2,20}: |[A-Z][A-Za-z-]{0,20}:?$|[A-Za-z0-9+/=]*[ \t]*(?:[\r\n]|$))/y
const markBehindPath = new RegExp(`[-:]${mark.source}`, 'y')
const header = /[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,120}/y
/** Any other may be a command between two lines that look like a key, so people have to see it. */
const plainHeader =
  /^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): [\w .,:/+=@#-]{1,100}(?: \([\w/.-]{1,20}\))?$/
const line = /[A-Za-z0-9+/=]+/y
/** Without an END line, any other line may be a command or an option, so people have to see it. */
const plainLine =
  /^(?:(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{2,15}={1,2}|=[A-Za-z0-9+/]{4})$/
/** Without a BEGIN line, only what is as long as the lines of a key, or ends as one does: no program, no path. */
const isWholeLine = (words: string): boolean => plainLine.test(words) && /^.{60}|^.{16,}=$/.test(words)
/** Everything that `begin` and `end` may look like before they are complete. */
const maxMark = 90
const halfBegin = /^-----BEGIN[A-Z0-9 ]{0,70}-{0,5}$/
const halfHeader = /^[A-Z][A-Za-z-]{0,20}:? ?$/
const halfEnd = /^-{1,5}(?:E|EN|END[A-Z0-9 ]{0,70}-{0,5})?$/

/** From the BEGIN line to the END line, or, if one of them was cut off, as far as the lines look like a key. */
export const privateKeys = (text: string): SecretSpan[] => [
  ...[...matchesIn(text, begin)].flatMap(({ 0: found, index }) => blockAt(text, index, index + found.length).spans),
  ...withoutBegin(text),
]

function withoutBegin(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const { 0: found, index } of matchesIn(text, head))
    if (index >= (spans.at(-1)?.end ?? 0)) spans.push(...blockAt(text, index, index + found.length, true).spans)
  return spans
}

const quoting = /^(?:\\[nrt]|<br ?\/?>|[\s\\"',>|#+$-])*|(?:\\[nrt]|<br ?\/?>|[\s\\"',|+$])*$/g

/** Whether the line begins a private key that doesn't end in it. */
export function beginsPrivateKey(text: string): boolean {
  const found = [...matchesIn(text, begin)].at(-1)
  return found !== undefined && !blockEnd.test(text.slice(found.index))
}

/** Whether a line behind the beginning of a key belongs to it. */
export function isKeyLine(text: string): boolean {
  const bare = text.replace(quoting, '')
  return bare === '' || plainHeader.test(bare) || plainLine.test(bare) || /^[A-Za-z0-9+/=]{60,}$/.test(bare)
}

/** Where an unfinished private key starts at the end of the text; the length of the text if there is none. */
export const privateKeyBegun = (text: string): number => Math.min(blockBegun(text), headBegun(text))

function blockBegun(text: string): number {
  const start = text.lastIndexOf('-----BEGIN')
  if (start === -1 || text.length - start > maxPrivateKey) return text.length
  if (halfBegin.test(text.slice(start, start + maxMark))) return start
  const [found] = text.slice(start).matchAll(begin)
  return found?.index === 0 ? begunAt(text, start, blockAt(text, start, start + found[0].length)) : text.length
}

function headBegun(text: string): number {
  const found = [...matchesIn(text, head)].at(-1)
  if (found === undefined || text.length - found.index > maxPrivateKey) return text.length
  return begunAt(text, found.index, blockAt(text, found.index, found.index + found[0].length, true))
}

function begunAt(text: string, start: number, { spans, isOpen }: Block): number {
  // Without its beginning in the text, a part behind a line that is shown would be no key.
  const isInLastWord = spans.length > 1 && /^[\x21-\x7e]*$/.test(text.slice(spans.at(-1)?.end))
  return isOpen || isInLastWord ? start : text.length
}

interface Block {
  spans: SecretSpan[]
  /** The text ended first. */
  isOpen: boolean
}

/** `likely`: is a part of the key if there is an END line. */
interface Line {
  start: number
  end: number
  is: 'secret' | 'likely' | 'shown'
}

/** `isHead`: without a BEGIN line. What was found is part of a key, whatever follows. */
function blockAt(text: string, start: number, from: number, isHead = false): Block {
  let isKey = isHead
  const limit = Math.min(text.length, start + maxPrivateKey)
  const path = pathBefore(text, start)
  const lines: Line[] = [{ start, end: from, is: 'secret' }]
  let at = from
  for (let short = 0; at < limit; ) {
    const next = lineStart(text, at, path)
    const isPrinted = next > after(between, text, at)
    const closed = after(end, text, next)
    if (closed > next) {
      const whole = lines.map((one) => (one.is === 'likely' ? { ...one, is: 'secret' as const } : one))
      return { spans: isKey ? spansOf([...whole, { start: next, end: closed, is: 'secret' }]) : [], isOpen: false }
    }
    const named = after(header, text, next)
    const isHeader = named > next
    const stop = Math.min(limit, isHeader ? named : after(line, text, next))
    at = stop
    if (stop === next) break
    const words = text.slice(next, stop)
    if (isHead && !isWholeLine(words)) break
    lines.push({ start: next, end: stop, is: whatIs(words, isHeader, isPrinted) })
    const isLong = words.length >= minLine
    short = isLong || isHeader ? 0 : short + 1
    if (short > maxShortLines) break
    isKey ||= isLong && !isHeader
  }
  const tail = text.slice(at, at + maxMark)
  const isHalfEnd = at + tail.length === text.length && halfEnd.test(tail)
  const isOpen = at >= text.length || isHalfEnd || halfHeader.test(text.slice(lines.at(-1)?.start))
  return { spans: isKey ? spansOf(lines) : [], isOpen }
}

/** Even before an END line a short line may be a command; so little of a key tells nothing. */
function whatIs(words: string, isHeader: boolean, isPrinted: boolean): Line['is'] {
  if (isHeader) return plainHeader.test(words) ? 'likely' : 'shown'
  if (plainLine.test(words)) return 'secret'
  return isPrinted || words.length < minLine ? 'shown' : 'likely'
}

/** The secret lines, those that follow one another as one. */
function spansOf(lines: Line[]): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const [place, { start, end, is }] of lines.entries()) {
    const before = lines[place - 1]?.is === 'secret' ? spans.at(-1) : undefined
    if (is === 'secret' && before) before.end = end
    else if (is === 'secret') spans.push({ start, end, kind: privateKeyKind, weight: 1 })
  }
  return spans
}

/** The path in front of BEGIN, '' if there are only numbers and signs, undefined if its line begins otherwise. */
function pathBefore(text: string, start: number): string | undefined {
  const before = /[^\r\n]*$/.exec(text.slice(Math.max(0, start - maxLead), start))?.[0] ?? ''
  const found = before === '' ? null : lead.exec(before)
  return found === null ? undefined : (found[1] ?? '')
}

/** Where the key goes on: behind line breaks, and what is in front of its next line. */
function lineStart(text: string, from: number, path: string | undefined): number {
  let behind = from
  let at = after(between, text, from)
  // grep and diffs print whole lines, so none ends in a quote or a backslash.
  while (path !== undefined && /^[^\\"',]*[\r\n][ \t>|]{0,20}$/.test(text.slice(behind, at))) {
    // The text may end within the path.
    if (path.startsWith(text.slice(at))) return text.length
    const sign = at + path.length
    behind = text.startsWith(path, at) ? after(path === '' ? mark : markBehindPath, text, sign) : at
    if (behind <= sign) break
    at = after(between, text, behind)
  }
  return at
}

function after(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
