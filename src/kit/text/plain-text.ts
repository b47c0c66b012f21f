import { isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'
export type Newline = 'LF' | 'CRLF'

/** A text file in parts that can be put together again byte for byte. */
export interface DecodedText {
  /** Without the byte order mark, line ends as they are. */
  text: string
  encoding: Encoding
  /** Whether it began with a byte order mark. */
  mark: boolean
  /** True if bytes were lost: `badBytes` of them are shown as �. */
  lossy: boolean
  badBytes: number
  /** The more common of the two; LF if there is none. */
  newline: Newline
}

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** What the first bytes say. Without a mark, UTF-8 is assumed. `markBytes` is the length of the mark. */
export function encodingOf(head: Uint8Array): { encoding: Encoding; markBytes: number } {
  const [encoding, mark] = marks.find(([, mark]) => mark.every((byte, index) => head[index] === byte)) ?? []
  return { encoding: encoding ?? 'utf-8', markBytes: mark?.length ?? 0 }
}

export function decode(bytes: Uint8Array): DecodedText {
  const { encoding, markBytes } = encodingOf(bytes)
  const body = bytes.subarray(markBytes)
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(body)
  const badBytes = countBadBytes(body, text, encoding)
  return { text, encoding, mark: markBytes > 0, lossy: badBytes > 0, badBytes, newline: newlineOf(text) }
}

/** The reverse. Exact only if nothing was lost. */
export function encode(text: string, { encoding, mark }: Pick<DecodedText, 'encoding' | 'mark'>): Buffer {
  const marked = mark ? `\uFEFF${text}` : text
  if (encoding === 'utf-8') return Buffer.from(marked)
  const bytes = Buffer.from(marked, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

/** Without the part of a UTF-8 character that a cut left at the end. */
export function wholeCharacters<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    // A part of a Buffer is a Buffer.
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back) as Bytes
    if (byte < 0x80) break
  }
  return bytes
}

/** Control characters other than backspace to carriage return, and escape. */
export const countControls = (bytes: Uint8Array): number =>
  bytes.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)

const isControl = (byte: number): boolean => byte < 8 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127

const replacement = /\uFFFD/g

/** Bytes that are invalid in their encoding, as opposed to a � that somebody wrote. */
export function countBadBytes(bytes: Uint8Array, text: string, encoding: Encoding = 'utf-8'): number {
  if (encoding === 'utf-8' ? isUtf8(bytes) : !text.includes('\uFFFD')) return 0
  if (encoding !== 'utf-8') {
    const written = encode(text, { encoding, mark: false })
    return bytes.reduce((count, byte, index) => count + (byte === written[index] ? 0 : 1), 0)
  }
  const written = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('ï¿½').length - 1
  return bytes.length - 3 * written - Buffer.byteLength(text.replace(replacement, ''))
}

function newlineOf(text: string): Newline {
  const all = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows > all - windows ? 'CRLF' : 'LF'
}
