import type { OpenDocument, PartEntry } from '../../../kit/documents/document.ts'
import { quotedLine } from '../../../kit/text/marks.ts'
import { cutCharacters, shownPath } from '../../../kit/text/shown.ts'

/** The most characters of a name or path: a title may be as long as a book. */
const nameCharacters = 200

export const pathOf = (path: string): string => shortName(shownPath(path))

export const shortName = (name: string): string =>
  name.length > nameCharacters ? `${cutCharacters(name, nameCharacters)}…` : name

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `--- Page 3 of 60 ---`, `--- Sheet 4 of 4 "Salaries" (hidden) ---`; empty for a document of one part. */
export function headOf({ parts, reading }: OpenDocument, index: number): string {
  const part = parts[index]
  if (part === undefined || (parts.length === 1 && part.unit === 'section')) return ''
  const count = reading === undefined ? parts.length : (reading.expected ?? '?')
  const name = part.name === undefined ? '' : ` ${quotedLine(shortName(part.name))}`
  return `--- ${capital(part.unit)} ${part.number} of ${count}${name}${part.isHidden ? ' (hidden)' : ''} ---`
}

/** The column letters and the first row of a sheet that is shown from a later line on: they say what its cells are. */
export function titlesOf(part: PartEntry | undefined, [letters = '', , row = '']: string[], from: number): string[] {
  if (part?.unit !== 'sheet' || !/^\| \|( [A-Z]{1,3} \|)+$/.test(letters)) return []
  return [...(from > 1 ? [letters] : []), ...(from > 3 && row.startsWith('| ') ? [row] : [])]
}

/** Escapes a line that looks like the heading of another part. In Markdown it means the same. */
export const withoutHead = (line: string): string => (/^--- \p{L}+ \d+ of \d/u.test(line) ? `\\${line}` : line)
