import { isUtf8 } from 'node:buffer'
import { decoderOf } from '../../../text/decoder.ts'
import { detectEncoding } from '../../../text/encoding.ts'
import { mixedDecoder, otherEncoding } from '../../../text/mixed.ts'
import { wideEncoding } from '../../../text/wide-encoding.ts'

/** Bytes that are decoded at once. */
const pieceBytes = 256 * 1024

/** Enough to tell UTF-16 from text that is padded. */
const sampleBytes = 32_768

/** Enough to judge what separates the cells. */
const headCharacters = 70_000

/** The text of a file, as often as it is asked for, without holding all of it. Its line ends are `\n`. */
export interface CsvText {
  encoding: string
  /** False if the encoding was guessed. */
  sure: boolean
  head: string
  pieces(): Generator<string>
}

export function csvText(bytes: Uint8Array): CsvText {
  const hasNulls = isPadded(bytes)
  const clean = (piece: Uint8Array) => (hasNulls ? piece.filter((byte) => byte !== 0) : piece)
  const { sure, ...found } = detectEncoding(hasNulls ? clean(bytes) : bytes)
  const other = isNarrow(bytes) && !hasNulls && !isUtf8(bytes) ? otherEncoding(bytes) : undefined
  const encoding = other === undefined ? found.encoding : `utf-8 and, in some rows, ${other}`
  const newDecoder = (): ((piece: Uint8Array, isLast: boolean) => string) => {
    if (other !== undefined) return mixedDecoder(other)
    const decoder = decoderOf(found.encoding)
    return (piece, isLast) => decoder.decode(piece, { stream: !isLast })
  }
  function* pieces(): Generator<string> {
    const decoded = newDecoder()
    let held = ''
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const isLast = at + pieceBytes >= bytes.length
      const text = held + decoded(clean(bytes.subarray(at, at + pieceBytes)), isLast)
      // Its line feed may be in the next piece.
      held = text.endsWith('\r') && !isLast ? '\r' : ''
      const whole = text.slice(0, text.length - held.length)
      // One file may mix line ends; only one kind is looked for.
      yield whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole
    }
  }
  return { encoding, sure, head: headOf(pieces()), pieces }
}

function headOf(pieces: Iterable<string>): string {
  let head = ''
  for (const piece of pieces) {
    head += piece
    if (head.length >= headCharacters) break
  }
  return head
}

/** UTF-16 has zeros or a mark. */
const isNarrow = (bytes: Uint8Array): boolean => bytes[0] !== 0xff && bytes[0] !== 0xfe && !bytes.includes(0)

/** Some programs pad their cells with NULs; UTF-16 has many, or a mark in front, or is told by what it is like. */
function isPadded(bytes: Uint8Array): boolean {
  const isMarked = bytes[0] === 0xff || bytes[0] === 0xfe
  if (isMarked || !bytes.includes(0)) return false
  let nulls = 0
  for (const byte of bytes) if (byte === 0) nulls++
  return nulls <= bytes.length / 5 && wideEncoding(bytes.subarray(0, sampleBytes)) === undefined
}
