import { countControls } from './plain-text.ts'

/** UTF-16 without a mark: its ASCII, if only spaces and line ends, has a zero byte on one side. */
export function wideEncoding(head: Uint8Array): string | undefined {
  if (head.length < 2) return undefined
  let low = 0
  let high = 0
  for (let index = 0; index + 1 < head.length; index += 2) {
    if (head[index] === 0 && head[index + 1] !== 0) high++
    if (head[index] !== 0 && head[index + 1] === 0) low++
  }
  const encoding = low > high * 4 ? 'utf-16le' : high > low * 4 ? 'utf-16be' : undefined
  if (encoding === undefined || (low + high < head.length / 4 && isNarrowWithNulls(head))) return undefined
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length - (head.length % 2)))
  return unlikely.test(text) || text.slice(0, -1).includes('\uFFFD') ? undefined : encoding
}

/** Control characters but tabs and line ends, and what Unicode leaves open. */
const unlikely = /(?![\t-\r])[\p{Cc}\p{Cn}\p{Co}]/u

/** In UTF-16 of most scripts, one byte or the other would often be a control character, taken by itself. */
function isNarrowWithNulls(head: Uint8Array): boolean {
  const rest = head.filter((byte) => byte !== 0)
  return countControls(rest) <= rest.length / 50
}
