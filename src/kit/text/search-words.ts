/** The words of a search. Scripts that put no spaces between words are searched for as they stand in the text. */
export interface SearchWords {
  words: string[]
  kind: 'words' | 'parts'
}

const mostWords = 12

/** Not Korean: its words begin as they are searched for, and the indexes know beginnings. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

/** Undefined if there is nothing to search for. */
export function searchWords(query: string): SearchWords | undefined {
  const text = query.normalize('NFC').toLowerCase()
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  if (words.length > 0 && !unspaced.test(text)) return { words: words.slice(0, mostWords), kind: 'words' }
  const parts = text.split(/\s+/).filter((part) => part !== '')
  return parts.length === 0 ? undefined : { words: parts.slice(0, mostWords), kind: 'parts' }
}

/** As the indexes of both databases have words: Latin letters without their accents. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/([A-Za-z])[\u0300-\u0331]+/g, '$1')
    .normalize('NFC')

const before = 40
const longest = 160

/** The part of a text where the first of the words stands, on one line and without Markdown's signs. */
export function excerptOf(text: string, { words }: SearchWords): string {
  const line = text
    .normalize('NFC')
    .replace(/[*`#>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const lower = withoutAccents(line.toLowerCase())
  const places = words.map((word) => lower.indexOf(withoutAccents(word))).filter((place) => place >= 0)
  const found = places.length === 0 ? 0 : Math.min(...places)
  const cut = found <= before ? 0 : line.lastIndexOf(' ', found - before / 2)
  const start = cut < found - before ? Math.max(0, found - before / 2) : cut
  const part = line.slice(start, start + longest).toWellFormed()
  return `${start > 0 ? '…' : ''}${part.trim()}${start + longest < line.length ? '…' : ''}`
}
