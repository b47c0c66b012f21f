import Papa from 'papaparse'
import { decodeText } from '../../workspace/encoding.ts'
import { Cells } from '../cells.ts'
import { type Parser, Parts } from '../parse.ts'

const delimiters = [',', ';', '\t', '|']

const names = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
])

/** Beyond this a file is cut before it is taken apart: its text is kept many times over meanwhile. */
const bytesPerCharacter = 4

/** One sheet. Delimiter and encoding are told by what is in it; uneven and malformed rows are kept as they are. */
export const parseCsv: Parser = async ({ name, bytes }, limits) => {
  const head = bytes.subarray(0, limits.textCharacters * bytesPerCharacter)
  const { text: whole, encoding, sure } = decodeText(head)
  const { text, given } = withoutHint(whole)
  const delimiter = given ?? (/\.tsv$/i.test(name) && text.includes('\t') ? '\t' : delimiterOf(text))
  const { cells, read, hasPlainQuotes } = readAll(text, delimiter, limits.textCharacters)

  const parts = new Parts(limits)
  const table = cells.toMarkdown(limits.textCharacters)
  parts.add({ unit: 'sheet', number: 1, text: table })
  const isCut = head.length < bytes.length || cells.isFull || table.length > limits.textCharacters
  const notes = [
    `${counted(read.rows, 'row')} and ${counted(read.columns, 'column')}, separated by ${names.get(delimiter) ?? delimiter}.`,
    encoding === 'utf-8' && sure ? '' : `Its text was read as ${encoding}${sure ? '' : ', by what it looks like'}.`,
    read.uneven > 0 ? `Other numbers of cells than in the first row: ${counted(read.uneven, 'row')}.` : '',
    hasPlainQuotes ? 'A quote is never closed: all quotes are kept as they are written.' : '',
    read.malformed.length > 0 ? `Quotes are wrong in row ${read.malformed.join(', ')}: kept as written.` : '',
    isCut ? 'It is larger than what is read: the rest was left out.' : '',
  ]
  return { kind: 'csv', notes: notes.filter(Boolean), parts: parts.list }
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** Excel writes its delimiter into a first line of its own, `sep=;`. */
function withoutHint(text: string): { text: string; given?: string } {
  const [hint, given] = /^sep=([,;\t|])\r?\n/.exec(text.slice(0, 10)) ?? []
  return hint === undefined || given === undefined ? { text } : { text: text.slice(hint.length), given }
}

/** Lines that are looked at to tell the delimiter. */
const sampleRows = 50

/** The delimiter that splits most rows into the same number of cells; of equals, the one that makes more cells. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, 65_536)
  const scored = delimiters.map((delimiter) => {
    const { data } = Papa.parse<string[]>(sample, { delimiter, preview: sampleRows, skipEmptyLines: 'greedy' })
    const counts = data.map((row) => row.length)
    const usual = mostCommon(counts)
    const alike = counts.filter((count) => count === usual).length / Math.max(1, counts.length)
    return { delimiter, score: usual < 2 ? 0 : alike + Math.min(usual, 20) / 200 }
  })
  const best = scored.reduce((best, one) => (one.score > best.score ? one : best))
  return best.score === 0 ? ',' : best.delimiter
}

function mostCommon(counts: number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0] ?? 0
}

interface Rows {
  rows: number
  columns: number
  uneven: number
  /** The first few. */
  malformed: number[]
  isOpen: boolean
}

/** A quote that is never closed would make one cell of all that follows it. */
function readAll(text: string, delimiter: string, room: number): { cells: Cells; read: Rows; hasPlainQuotes: boolean } {
  const cells = new Cells(room)
  const read = readRows(text, delimiter, '"', cells)
  if (!read.isOpen) return { cells, read, hasPlainQuotes: false }
  const plain = new Cells(room)
  return { cells: plain, read: readRows(text, delimiter, noQuote, plain), hasPlainQuotes: true }
}

/** No text has this character: it stands for none. */
const noQuote = '\uFFFF'

function readRows(text: string, delimiter: string, quoteChar: string, cells: Cells): Rows {
  const read: Rows = { rows: 0, columns: 0, uneven: 0, malformed: [], isOpen: false }
  let first = 0
  let endsEmpty = false
  Papa.parse<string[]>(text, {
    delimiter,
    quoteChar,
    step({ data, errors }, parser) {
      const isEmpty = data.length === 1 && data[0] === ''
      read.rows++
      endsEmpty = isEmpty
      read.isOpen ||= errors.some(({ code }) => code === 'MissingQuotes')
      if (!isEmpty) {
        if (first === 0) first = data.length
        if (data.length !== first) read.uneven++
        read.columns = Math.max(read.columns, data.length)
      }
      if (errors.some(({ type }) => type === 'Quotes') && read.malformed.length < 10) read.malformed.push(read.rows)
      for (const [index, cell] of data.entries()) {
        if (!cells.add(read.rows, index + 1, cell)) {
          parser.abort()
          return
        }
      }
    },
  })
  // The line end at the end of a file begins no row.
  if (endsEmpty) read.rows--
  return read
}
