import { withoutInvisible } from './invisible.ts'

/** The longest beginning of a text that fits into `maxBytes` of UTF-8 and ends on a whole character. */
export function cutUtf8(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text.slice(0, maxBytes))
  let end = Math.min(maxBytes, bytes.length)
  // 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Brackets and tags in any of their forms, and noncharacters. */
const marks = /[[\]<>［］﹇﹈＜＞﹤﹥]|[\p{Cc}\p{Cs}\p{Cn}]/gu

/** A name that somebody chose freely, made safe: it stays on its line and can't pass for anything else. */
export function plainName(name: string): string {
  const line = oneLine(withoutInvisible(name.slice(0, 1_000)).replace(marks, ''), 120)
  if (line === '') return 'someone'
  return /^(?:the\s*program\W*$|alarm\s+set\s+by\b)/i.test(line.normalize('NFKC')) ? `someone called ${line}` : line
}

/** One line, of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  // A character has at most two units, so there is no need to read more.
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}

/** Shows invisible characters and those that would reverse the order of the rest by number: `\u{202e}`. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/** What stands in a text above and below some of its paragraphs; undefined if it doesn't have them. */
export function besides(whole: string, paragraphs: string): string | undefined {
  const [text, part] = [whole, paragraphs].map((one) => `\n\n${one.trim()}\n\n`) as [string, string]
  const at = text.lastIndexOf(part)
  return at < 0 ? undefined : `${text.slice(0, at)}\n\n${text.slice(at + part.length)}`.trim()
}
