import { decodeText } from '../../../text/encoding.ts'

/** A line of a contact or calendar file: `TEL;TYPE=cell:+44 …`. */
export interface ContentLine {
  /** In capitals, without a group. */
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

/** A longer value is a picture or a sound. */
const longestValue = 20_000

/** The lines of a vCard or iCalendar file (RFC 6350, 5545), with those that were folded joined again. */
export function* contentLines(bytes: Uint8Array): Generator<ContentLine> {
  let whole = ''
  let isSoft = false
  for (const line of decodeText(bytes).text.split(/\r\n|\r|\n/)) {
    const isFolded = /^[ \t]/.test(line) && whole !== ''
    if (isFolded || isSoft) {
      if (whole.length < longestValue) whole += isSoft ? `\n${line}` : line.slice(1)
    } else {
      yield* parsedLine(whole)
      whole = line
    }
    // Old cards break a line by an equals sign at its end.
    isSoft = /^[^:]*QUOTED-PRINTABLE/i.test(whole.slice(0, 200)) && line.endsWith('=')
  }
  yield* parsedLine(whole)
}

function* parsedLine(line: string): Generator<ContentLine> {
  const colon = colonIn(line)
  if (colon === -1) return
  const [name = '', ...rest] = line.slice(0, colon).split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
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
    if (charset !== undefined) return new TextDecoder(charset).decode(bytes)
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
export const valueParts = (value: string): string[] => value.split(/(?<=(?<!\\)(?:\\\\)*);/).map(plainValue)
