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
  if (encoding === undefined) return undefined
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length - (head.length % 2)))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none but tabs and line ends.
  return /[\x00-\x08\x0e-\x1f]/.test(text) || text.slice(0, -1).includes('\uFFFD') ? undefined : encoding
}
