import Papa from 'papaparse'

/** A row as it is written. */
export interface CsvRow {
  cells: string[]
  /** Its quotes are wrong. */
  isMalformed: boolean
}

export interface CsvForm {
  delimiter: string
  /** `noQuote`: quotes are characters like others. */
  quote: string
  /** A row with more characters counts as one whose quote is never closed. */
  mostCharacters: number
}

/** No text contains this character, so it stands for none. */
export const noQuote = '\uFFFF'

/**
 * The rows of a text that comes in pieces, without holding more than an unfinished row. Returns whether a quote is
 * never closed.
 */
export function* rowsIn(
  pieces: Iterable<string>,
  { delimiter, quote, mostCharacters }: CsvForm,
): Generator<CsvRow, boolean> {
  let rest = ''
  /** So that one long row isn't looked at again with each piece. */
  let enough = 0
  for (const piece of pieces) {
    rest += piece
    if (rest.length < enough) continue
    const { rows, read } = parse(rest, delimiter, quote, true)
    yield* rows
    rest = rest.slice(read)
    enough = read === 0 ? rest.length * 2 : 0
    if (rest.length > mostCharacters) return true
  }
  // The line end at the end of a file begins no row.
  if (rest === '') return false
  const { rows, isOpen } = parse(rest, delimiter, quote, false)
  yield* rows
  return isOpen
}

interface Parsed {
  rows: CsvRow[]
  /** How far that goes. */
  read: number
  isOpen: boolean
}

function parse(text: string, delimiter: string, quoteChar: string, goesOn: boolean): Parsed {
  const parser = new Papa.Parser({ delimiter, quoteChar, newline: '\n' })
  const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, goesOn)
  const malformed = new Set(errors.flatMap(({ type, row }) => (type === 'Quotes' ? [row] : [])))
  return {
    rows: data.map((cells, index) => ({ cells, isMalformed: malformed.has(index) })),
    read: meta.cursor,
    isOpen: errors.some(({ code }) => code === 'MissingQuotes'),
  }
}
