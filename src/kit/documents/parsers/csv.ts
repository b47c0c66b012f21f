import { inCell, maxColumns, TableLines } from '../cells.ts'
import type { DocumentPiece } from '../document.ts'
import { mostCharactersOf, type Parser, portionCharacters } from '../parse.ts'
import { delimiterOf, noDelimiter } from './csv/delimiter.ts'
import { type CsvForm, noQuote, rowsIn } from './csv/rows.ts'
import { type CsvText, csvText } from './csv/text.ts'

const names = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
])

/**
 * One sheet. Delimiter and encoding are detected from the content; uneven and malformed rows are kept as they are. It
 * is gone through twice, since the first row already needs to know which columns there are.
 */
export const parseCsv: Parser = async ({ name, bytes }, limits, _, hand) => {
  const most = mostCharactersOf(limits)
  const text = csvText(bytes)
  const { head } = text
  const [, given] = hint.exec(head) ?? []
  const delimiter = given ?? (/\.tsv$/i.test(name) && head.includes('\t') ? '\t' : delimiterOf(head))
  const { form, facts, hasPlainQuotes } = factsOf(text, delimiter, most)

  const table = new TableLines([...facts.used].sort((a, b) => a - b))
  const pieces: DocumentPiece[] = []
  const take = () => pieces.push(pieceOf(table.take(), isFirst))
  let isFirst = true
  let room = most - table.waiting
  let row = 0
  for (const { cells } of rowsIn(textPieces(text), form)) {
    if (row++ === facts.rows) break
    const before = table.waiting
    if (!addRow(table, row, cells, facts.used, room)) {
      facts.isFull = true
      break
    }
    room -= table.waiting - before
    if (hand === undefined || table.waiting < portionCharacters) continue
    take()
    isFirst = false
    await hand(pieces.splice(0))
  }
  take()
  const separated = delimiter === noDelimiter ? '' : `, separated by ${names.get(delimiter) ?? delimiter}`
  const { encoding, sure } = text
  const notes = [
    `${counted(facts.rows, 'row')} and ${counted(facts.columns, 'column')}${separated}.`,
    encoding === 'utf-8' && sure ? '' : `Its text was read as ${encoding}${sure ? '' : ', guessed from its content'}.`,
    facts.uneven > 0 ? `Different number of cells than in the first row: ${counted(facts.uneven, 'row')}.` : '',
    hasPlainQuotes ? 'A quote is never closed: all quotes are kept as they are written.' : '',
    facts.malformed.length > 0 ? `Quotes are wrong in row ${facts.malformed.join(', ')}: kept as written.` : '',
    facts.isFull || facts.columns > maxColumns ? 'It is too large to read completely: the rest was left out.' : '',
  ]
  return { kind: 'csv', notes: notes.filter(Boolean), parts: pieces }
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** Excel writes its delimiter on a first line of its own, `sep=;`. */
const hint = /^sep=([,;\t|])\n/

function* textPieces({ pieces }: CsvText): Generator<string> {
  let isFirst = true
  for (const piece of pieces()) {
    yield isFirst ? piece.replace(hint, '') : piece
    isFirst = false
  }
}

interface Facts {
  rows: number
  columns: number
  /** Columns with a value. */
  used: Set<number>
  uneven: number
  /** The first few. */
  malformed: number[]
  isFull: boolean
}

/** A quote that is never closed would turn everything after it into one cell. */
function factsOf(text: CsvText, delimiter: string, most: number) {
  const form = { delimiter, quote: '"', mostCharacters: most }
  const { isOpen, ...read } = factsBy(text, form)
  if (!isOpen) return { form, facts: read, hasPlainQuotes: false }
  const plain = { ...form, quote: noQuote }
  return { form: plain, facts: factsBy(text, plain), hasPlainQuotes: true }
}

function factsBy(text: CsvText, form: CsvForm): Facts & { isOpen: boolean } {
  const facts: Facts = { rows: 0, columns: 0, used: new Set(), uneven: 0, malformed: [], isFull: false }
  let first = 0
  let room = form.mostCharacters
  const rows = rowsIn(textPieces(text), form)
  for (;;) {
    const { done, value } = rows.next()
    if (done) return { ...facts, isOpen: value }
    // How much room a row takes depends on all columns; this is the least.
    if (room <= 0) return { ...facts, isFull: true, isOpen: false }
    const { cells, isMalformed } = value
    facts.rows++
    if (cells.length > 1 || cells[0] !== '') {
      if (first === 0) first = cells.length
      if (cells.length !== first) facts.uneven++
      facts.columns = Math.max(facts.columns, cells.length)
    }
    if (isMalformed && facts.malformed.length < 10) facts.malformed.push(facts.rows)
    for (const [index, cell] of cells.entries()) {
      if (index >= maxColumns || cell.trim() === '') continue
      facts.used.add(index + 1)
      room -= cell.length
    }
  }
}

const pieceOf = (text: string, isFirst: boolean): DocumentPiece => ({
  unit: 'sheet',
  number: 1,
  text,
  ...(isFirst ? {} : { continues: true }),
})

function addRow(table: TableLines, row: number, written: string[], used: Set<number>, room: number): boolean {
  const cells: string[] = []
  for (const [index, text] of written.entries()) {
    const shown = used.has(index + 1) ? inCell(text) : ''
    if (shown !== '') table.put(cells, index + 1, shown)
  }
  return cells.length === 0 || table.add(row, cells, room)
}
