import { decoderOf } from '../../../text/decoder.ts'
import { decodeText } from '../../../text/encoding.ts'

/** A line of a contact or calendar file: `TEL;TYPE=cell:+44 …`. */
export interface ContentLine {
  /** In capitals, without a group. */
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

/** Of a line, in which it is written how its value is. */
const headCharacters = 200

/** The lines of a vCard or iCalendar file (RFC 6350, 5545), with those that were folded joined again. */
export function* contentLines(bytes: Uint8Array): Generator<ContentLine> {
  let pieces: string[] = []
  let head = ''
  let isSoft = false
  for (const line of decodeText(bytes).text.split(/\r\n|\r|\n/)) {
    const isFolded = /^[ \t]/.test(line) && head !== ''
    if (!isFolded && !isSoft) {
      yield* parsedLine(pieces.join(''))
      pieces = []
      head = ''
    }
    pieces.push(isSoft ? `\n${line}` : isFolded ? line.slice(1) : line)
    if (head.length < headCharacters) head = `${head}${pieces.at(-1)}`.slice(0, headCharacters)
    // Old cards break a line by an equals sign at its end.
    isSoft = /^[^:]*QUOTED-PRINTABLE/i.test(head) && line.endsWith('=')
  }
  yield* parsedLine(pieces.join(''))
}

function* parsedLine(line: string): Generator<ContentLine> {
  const colon = colonIn(line)
  if (colon === -1) return
  const [name = '', ...rest] = divided(line.slice(0, colon), /"[^"]*"|;/g)
  const parameters = new Map<string, string>()
  for (const one of rest) {
    const [key = '', value] = one.split(/=(.*)/s)
    const isType = value === undefined
    const known = parameters.get('TYPE')
    const text = (value ?? key).replaceAll('"', '')
    const id = isType ? 'TYPE' : key.toUpperCase()
    parameters.set(id, id === 'TYPE' && known !== undefined ? `${known},${text}` : text)
  }
  const raw = line.slice(colon + 1)
  const isPrintable = /quoted-printable/i.test([...parameters.values()].join())
  const value = isPrintable ? fromPrintable(raw, parameters.get('CHARSET')) : raw
  yield { name: name.replace(/^.*\./, '').toUpperCase(), parameters, value }
}

/** The first colon that isn't quoted. Names and parameters are short. */
function colonIn(line: string): number {
  let isQuoted = false
  for (let at = 0; at < Math.min(line.length, 2000); at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return at
  }
  return -1
}

function fromPrintable(text: string, charset: string | undefined): string {
  const codes = text.replace(/=\n/g, '')
  const bytes = Buffer.from(
    codes.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
  try {
    if (charset !== undefined) return decoderOf(charset).decode(bytes)
  } catch {
    // An encoding that nobody knows: what the text looks like tells.
  }
  return decodeText(bytes).text
}

/** A value as people read it, on one line. */
export const plainValue = (value: string): string =>
  value
    .replace(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? ' ' : escaped))
    .replace(/\s+/g, ' ')
    .trim()

/** The parts of a value that are divided by semicolons, in their order. */
export const valueParts = (value: string): string[] => divided(value, /\\.|;/gs).map(plainValue)

/** Cut at the semicolons that the pattern finds by themselves, not within anything else that it finds. */
function divided(text: string, pattern: RegExp): string[] {
  const parts: string[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found !== ';') continue
    parts.push(text.slice(from, index))
    from = index + 1
  }
  return [...parts, text.slice(from)]
}
