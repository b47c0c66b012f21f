import { isPassword, isRandom } from './placeholder.ts'
import { isPlainly, passwordNames } from './prose.ts'
import { randomness } from './randomness.ts'
import type { SecretSpan } from './span.ts'

const names = `(${passwordNames}|pwd)|(?:api|access|secret|private)[ _-]?(?:key|token)|client[ _-]?secret|token|secret`
const heading = new RegExp(`^["'*]{0,3}(?:\\p{L}{1,20}[ _-]){0,2}(?:${names})["'*]{0,3}$`, 'iu')
const anyHeading = new RegExp(
  `(?:^|[|,;\\t\\n]|\\n> )[ "'*]{0,3}(?:\\p{L}{1,20}[ _-]){0,2}(?:${names})[ "'*]{0,3}(?=[|,;\\t\\r\\n]|$)`,
  'iu',
)

interface Cell {
  start: number
  text: string
}

/** A value below such a heading, or beside it. Only in a table with lines: commas stand everywhere. */
type Column = 'a password' | 'a key'

const columnOf = (text: string): Column | undefined => {
  const found = text.length <= 64 ? heading.exec(text) : null
  return found === null ? undefined : found[1] === undefined ? 'a key' : 'a password'
}

const numberOrQuote = /^(?:\d{1,7}\t|> )(?=[^\t]*[|,;])/

/** Passwords and keys in tables of Markdown, as documents are shown, and of CSV, below a heading that calls them so. */
export function tables(text: string): SecretSpan[] {
  if (!anyHeading.test(text)) return []
  const spans: SecretSpan[] = []
  let columns = new Map<number, Column>()
  let sign = ''
  let count = 0
  for (const { 0: whole, index } of text.matchAll(/[^\r\n]+/g)) {
    const inFront = numberOrQuote.exec(whole)?.[0].length ?? 0
    const line = whole.slice(inFront)
    const separator = line.startsWith('|') ? '|' : (/[;,\t]/.exec(line)?.[0] ?? '')
    if (separator === '' || line.length > 4000) {
      columns = new Map()
      continue
    }
    const cells = cellsOf(line, index + inFront, separator)
    const own = columnsIn(cells, separator)
    const take = (cell: Cell | undefined, column: Column, isBelow: boolean) => {
      if (cell === undefined || !isSecret(cell.text, column, isBelow)) return
      spans.push({ start: cell.start, end: cell.start + cell.text.length, kind: column, weight: 0 })
    }
    if (own.size > 0) {
      columns = own
      sign = separator
      count = cells.length
      if (separator === '|') for (const [at, column] of own) take(cells[at + 1], column, false)
    } else if (separator === sign && (separator === '|' || cells.length === count)) {
      for (const [at, column] of columns) take(cells[at], column, separator === '|')
    } else columns = new Map()
  }
  return spans
}

/** With commas, a line of headings has nothing else, and no space behind them, unlike code. */
function columnsIn(cells: Cell[], separator: string): Map<number, Column> {
  const isHead =
    separator === '|' ||
    (cells.length > 1 && cells.every(({ text }) => /^["']?[\p{L}\w][\p{L}\w -]{0,40}["']?$/u.test(text)))
  const found = isHead ? cells.map(({ text }) => columnOf(text)) : []
  return new Map(found.flatMap((column, at) => (column === undefined ? [] : [[at, column] as const])))
}

function cellsOf(line: string, from: number, separator: string): Cell[] {
  let at = from
  return line.split(separator).map((whole) => {
    const text = separator === '|' ? whole.trim() : whole
    const quoted = /^(["'`*]{0,2})(.*?)\1$/.exec(text)
    const cell = { start: at + whole.indexOf(text) + (quoted?.[1]?.length ?? 0), text: quoted?.[2] ?? text }
    at += whole.length + 1
    return cell
  })
}

const aPath = /^[.~]{0,2}\/|(?:^|\/)[a-z]{3,32}\//

/** Beside a name, and in CSV, other things may stand: what a password is stored as. */
function isSecret(text: string, column: Column, isBelow: boolean): boolean {
  // Lines of a command may look like a table, too.
  if (!/^[^\s"'`;&|<>(){}$\\\u0080-\uffff]{6,512}$/.test(text) || aPath.test(text)) return false
  if (column === 'a key') return isRandom(text, 16) && randomness(text) > 0
  return isBelow ? isPassword(text) : isPlainly(text)
}
