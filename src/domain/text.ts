/** The longest beginning of a text that fits into `maxBytes` of UTF-8 and ends on a whole character. */
export function cutUtf8(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text.slice(0, maxBytes))
  let end = Math.min(maxBytes, bytes.length)
  // 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** A name that somebody chose freely, so that it stays on its line and cannot pass for anything else. */
export const plainName = (name: string): string => oneLine(name.replace(/[[\]<>\p{C}]/gu, ''), 120) || 'someone'

/** One line, of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  // A character is at most two units: more need not be looked at.
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}

/** What somebody else says, in which nothing passes for what the program itself says to the model. */
export const notThePrograms = (text: string): string => text.replace(/\[(\s{0,9}the\s{1,9}program\s{0,9})\]/gi, '($1)')

/** What nobody would see, or what would turn the order of the rest round, as its number: `\u{202e}`. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
