import { isUtf8 } from 'node:buffer'
import { analyse } from 'chardet'
import { type Candidate, candidates, plausibility } from '../files/plausible.ts'
import { decoderOf } from './decoder.ts'
import { encodingOf } from './plain-text.ts'
import { wideEncoding } from './wide-encoding.ts'

export interface Text {
  /** Without the byte order mark; invalid bytes become �. */
  text: string
  /** As `TextDecoder` calls it, such as `windows-1252`; or `ibm850`, which only `decoderOf` knows. */
  encoding: string
  /** False if it was guessed from what the text looks like. */
  sure: boolean
}

/** How many bytes are read for a guess. */
const sampleBytes = 32_768

/** Text in any encoding. Marked text and valid UTF-8 are certain; otherwise it is the likeliest guess. */
export function decodeText(bytes: Uint8Array): Text {
  const { encoding, sure } = detectEncoding(bytes)
  return { text: decoderOf(encoding).decode(bytes), encoding, sure }
}

/** The same without the text. */
export function detectEncoding(bytes: Uint8Array): Omit<Text, 'text'> {
  const marked = encodingOf(bytes)
  if (marked.markBytes > 0) return { encoding: marked.encoding, sure: true }
  if (bytes.includes(0)) {
    const wide = wideEncoding(bytes.subarray(0, sampleBytes))
    if (wide !== undefined) return { encoding: wide, sure: false }
  }
  if (isUtf8(bytes))
    return isJapaneseMail(bytes) ? { encoding: 'iso-2022-jp', sure: false } : { encoding: 'utf-8', sure: true }
  if (isMostlyUtf8(bytes.subarray(0, sampleBytes * 32))) return { encoding: 'utf-8', sure: false }
  return { encoding: guess(bytes), sure: false }
}

/** ISO-2022-JP is ASCII with escape sequences. */
const isJapaneseMail = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, sampleBytes))
  return head.includes('\x1b$B') || head.includes('\x1b$@')
}

/** UTF-8 that was damaged or cut: a whole character of several bytes hardly ever occurs by accident. */
export function isMostlyUtf8(bytes: Uint8Array): boolean {
  let whole = 0
  let bad = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) continue
    const length =
      byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1
    const isWhole = length > 1 && isUtf8(bytes.subarray(index, index + length)) && index + length <= bytes.length
    if (isWhole) {
      whole++
      index += length - 1
    } else if (index + length <= bytes.length) bad++
  }
  return whole > 3 * bad
}

function guess(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => byte >= 0x80)
  // From the beginning of a line, so that no character is cut.
  const from = bytes.lastIndexOf(0x0a, Math.max(0, first)) + 1
  const sample = bytes.subarray(Math.max(from, first - 4096), Math.max(from, first - 4096) + sampleBytes)
  const known = new Map<string, number>()
  for (const { name, confidence } of analyse(sample)) {
    const label = labelOf(name)
    if (label !== undefined) known.set(label, Math.max(known.get(label) ?? 0, confidence / 100))
  }
  const scored = candidates.map((candidate) => ({ candidate, score: score(sample, candidate, known) }))
  const best = scored.reduce((best, one) => (one.score > best.score ? one : best))
  return best.score === Number.NEGATIVE_INFINITY ? 'windows-1252' : best.candidate.encoding
}

/**
 * Appearance counts most, since chardet errs on short texts. Chardet knows languages by their letters, which settles
 * ties.
 */
const score = (sample: Uint8Array, candidate: Candidate, known: Map<string, number>): number =>
  plausibility(sample, candidate) + 0.4 * (known.get(candidate.like ?? candidate.encoding) ?? 0)

/** The name that `TextDecoder` uses; the standard treats Latin-1 as windows-1252, as all programs do. */
function labelOf(name: string): string | undefined {
  const close = new Map([
    ['ISO-8859-6', 'windows-1256'],
    ['ISO-8859-7', 'windows-1253'],
    ['ISO-8859-8', 'windows-1255'],
    ['EUC-KR', 'euc-kr'],
    ['GB18030', 'gb18030'],
  ])
  try {
    return close.get(name) ?? new TextDecoder(name).encoding
  } catch {
    // Skip what can't be decoded here.
    return undefined
  }
}
