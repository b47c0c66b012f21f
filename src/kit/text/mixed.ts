import { isUtf8 } from 'node:buffer'
import { decoderOf } from './decoder.ts'
import { detectEncoding, isMostlyUtf8 } from './encoding.ts'

const lineEnd = 0x0a

/** Of the lines that aren't UTF-8: enough to tell what they are. */
const sampleBytes = 32_768

/** A longer line is decoded in pieces. */
const longestLine = 1024 ** 2

/**
 * The encoding of those lines that aren't UTF-8, where others are: programs with different ideas wrote into one file.
 * Undefined if it isn't mixed.
 */
export function otherEncoding(bytes: Uint8Array): string | undefined {
  const others: Uint8Array[] = []
  let [utf8, sampled] = [0, 0]
  for (const line of linesIn(bytes)) {
    if (!hasLetters(line)) continue
    if (isRead(line)) utf8++
    else if (sampled < sampleBytes) {
      others.push(line)
      sampled += line.length
    }
  }
  if (others.length === 0 || utf8 === 0) return undefined
  const { encoding } = detectEncoding(Buffer.concat(others))
  // Few lines of one of these are UTF-8 by accident; of others, short ones may be.
  return /^(windows|iso-8859|macintosh|ibm850)/.test(encoding) || utf8 > others.length ? encoding : undefined
}

/** Decodes such a file piece by piece, each line as what it is. */
export function mixedDecoder(other: string): (piece: Uint8Array, isLast: boolean) => string {
  const [utf8, others] = [new TextDecoder(), decoderOf(other)]
  let held: Uint8Array = new Uint8Array()
  return (piece, isLast) => {
    const all = held.length === 0 ? piece : Buffer.concat([held, piece])
    const end = isLast || all.length > longestLine ? all.length : all.lastIndexOf(lineEnd) + 1
    // The caller may use its buffer again.
    held = all.slice(end)
    const whole = all.subarray(0, end)
    if (isUtf8(whole)) return utf8.decode(whole)
    let text = ''
    for (const line of linesIn(whole)) text += (isRead(line) ? utf8 : others).decode(line)
    return text
  }
}

/** With their line ends. */
function* linesIn(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(lineEnd, start)
    const end = at === -1 ? bytes.length : at + 1
    yield bytes.subarray(start, end)
    start = end
  }
}

const hasLetters = (line: Uint8Array): boolean => line.some((byte) => byte >= 0x80)

/** A character that was cut doesn't make a line something else. */
const isRead = (line: Uint8Array): boolean => isUtf8(line) || isMostlyUtf8(line)
