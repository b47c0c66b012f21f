import Papa from 'papaparse'
import { decodeText } from '../../text/encoding.ts'
import { Cells, maxColumns } from '../cells.ts'
import { type Parser, Parts } from '../parse.ts'
import { delimiterOf, noDelimiter } from './csv/delimiter.ts'

const names = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
])

/** A larger file is cut before it is parsed: several copies of its text are kept meanwhile. */
const bytesPerCharacter = 4

/** One sheet. Delimiter and encoding are detected from the content; uneven and malformed rows are kept as they are. */
export const parseCsv: Parser = async ({ name, bytes }, limits) => {
  const head = withoutNulls(bytes.subarray(0, limits.textCharacters * bytesPerCharacter))
  const { text: whole, encoding, sure } = decodeText(head)
  // One file may mix line ends; only one kind is looked for.
  const { text, given } = withoutHint(whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole)
  const delimiter = given ?? (/\.tsv$/i.test(name) && text.includes('\t') ? '\t' : delimiterOf(text))
  const { cells, read, hasPlainQuotes } = readAll(text, delimiter, limits.textCharacters)

  const parts = new Parts(limits)
  const table = cells.toMarkdown(limits.textCharacters)
  parts.add({ unit: 'sheet', number: 1, text: table })
  const isCut =
    head.length < bytes.length || cells.isFull || read.columns > maxColumns || table.length > limits.textCharacters
  const separated = delimiter === noDelimiter ? '' : `, separated by ${names.get(delimiter) ?? delimiter}`
  const notes = [
    `${counted(read.rows, 'row')} and ${counted(read.columns, 'column')}${separated}.`,
    encoding === 'utf-8' && sure ? '' : `Its text was read as ${encoding}${sure ? '' : ', guessed from its content'}.`,
    read.uneven > 0 ? `Different number of cells than in the first row: ${counted(read.uneven, 'row')}.` : '',
    hasPlainQuotes ? 'A quote is never closed: all quotes are kept as they are written.' : '',
    read.malformed.length > 0 ? `Quotes are wrong in row ${read.malformed.join(', ')}: kept as written.` : '',
    isCut ? 'It is too large to read completely: the rest was left out.' : '',
  ]
  return { kind: 'csv', notes: notes.filter(Boolean), parts: parts.list }
}

/** Some programs pad their cells with NULs; UTF-16 has many, or a mark in front. */
function withoutNulls(bytes: Uint8Array): Uint8Array {
  const nulls = bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  const isMarked = bytes[0] === 0xff || bytes[0] === 0xfe
  return nulls === 0 || isMarked || nulls > bytes.length / 5 ? bytes : bytes.filter((byte) => byte !== 0)
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** Excel writes its delimiter on a first line of its own, `sep=;`. */
function withoutHint(text: string): { text: string; given?: string } {
  const [hint, given] = /^sep=([,;\t|])\r?\n/.exec(text.slice(0, 10)) ?? []
  return hint === undefined || given === undefined ? { text } : { text: text.slice(hint.length), given }
}

interface Rows {
  rows: number
  columns: number
  uneven: number
  /** The first few. */
  malformed: number[]
  isOpen: boolean
}

/** A quote that is never closed would turn everything after it into one cell. */
function readAll(text: string, delimiter: string, room: number): { cells: Cells; read: Rows; hasPlainQuotes: boolean } {
  const cells = new Cells(room)
  const read = readRows(text, delimiter, '"', cells)
  if (!read.isOpen) return { cells, read, hasPlainQuotes: false }
  const plain = new Cells(room)
  return { cells: plain, read: readRows(text, delimiter, noQuote, plain), hasPlainQuotes: true }
}

/** No text contains this character, so it stands for none. */
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
      for (const [index, cell] of data.slice(0, maxColumns).entries()) {
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
