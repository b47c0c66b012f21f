import type { Span } from '../../text/span.ts'
import type { DocumentPart, DocumentPiece, ParsedDocument } from '../document.ts'
import { languagesOf } from './languages.ts'
import { chunkPieces } from './pieces.ts'
import { linesOf, type Row, sheetOf } from './rows.ts'
import { Terms } from './terms.ts'
import { tokensIn } from './tokens.ts'
import { Vocabulary } from './vocabulary.ts'

/** A span of a document that is found as one. */
export interface Chunk {
  /** Its index in `parts`. */
  part: number
  /** Offsets in the part's text. */
  start: number
  end: number
  /** In a sheet: its rows, `2:21`. */
  cells?: string
  /** The words it is found by, with spaces between. */
  words: string
  /** The same for scripts without spaces. */
  segments: string
}

/** How many rows of a sheet make a chunk, how many of them the next chunk repeats, and when fewer are enough. */
const batchRows = 20
const overlapRows = 2
const batchCharacters = 4000

/** How many words of a chunk come from its table's header. */
const headCharacters = 2000

/** The chunks of a document, in order. */
export const chunksOf = (document: ParsedDocument): Chunk[] => new Chunker().add(document.parts)

/** Most languages of a document that comes piece by piece. */
const mostLanguages = 6

/** Makes chunks of a document that comes piece by piece. */
export class Chunker {
  readonly vocabulary = new Vocabulary()
  /** Those found so far. A word is looked up by its stems in all of them, so they can grow. */
  languages: string[] = []
  #writer = new Writer(new Terms([]), this.vocabulary)
  /** The last part. */
  #part = -1
  #length = 0
  #head: string[] | undefined

  /** The chunks of these pieces, in order. */
  add(pieces: DocumentPiece[]): Chunk[] {
    const known = new Set(this.languages)
    const found = languagesOf({ parts: pieces }).filter((language) => !known.has(language))
    if (known.size === 0 || (found.length > 0 && known.size < mostLanguages)) {
      this.languages = [...known, ...found].slice(0, mostLanguages)
      this.#writer = new Writer(new Terms(this.languages), this.vocabulary)
    }
    return pieces.flatMap((piece) => this.#chunksOf(piece))
  }

  #chunksOf(piece: DocumentPiece): Chunk[] {
    if (piece.continues === undefined) {
      this.#part++
      this.#length = 0
      this.#head = undefined
    }
    const base = this.#length
    this.#length += piece.text.length
    if (piece.unit !== 'sheet') return textChunks(piece, this.#part, this.#writer)
    const { chunks, head } = sheetChunks(piece.text, this.#part, this.#writer, this.#head)
    this.#head = head
    return base === 0 ? chunks : chunks.map((one) => ({ ...one, start: one.start + base, end: one.end + base }))
  }
}

function textChunks({ text, name }: DocumentPart, part: number, writer: Writer): Chunk[] {
  const heads = tableHeads(text)
  const pieces = chunkPieces(text)
  // A slide without text is found by its title, too.
  if (pieces.length === 0 && name !== undefined) pieces.push({ start: 0, end: 0 })
  let table = 0
  return pieces.map((piece) => {
    const { start, end } = piece
    while (table < heads.length && (heads[table]?.end ?? 0) <= start) table++
    const head = heads[table]
    const repeats = head !== undefined && head.start < start ? [text.slice(head.head.start, head.head.end)] : []
    const extra = text.includes(name ?? '') ? repeats : [...repeats, name ?? '']
    return { part, start, end, ...writer.write([text.slice(start, end)], extra) }
  })
}

interface Table extends Span {
  head: Span
}

/** The tables of a page with their first rows. */
function tableHeads(text: string): Table[] {
  const tables: Table[] = []
  let open: Table | undefined
  for (const line of linesOf(text)) {
    if (!text.startsWith('|', line.start)) open = undefined
    else if (open !== undefined) open.end = line.end
    else {
      open = { ...line, head: { start: line.start, end: Math.min(line.end, line.start + headCharacters) } }
      tables.push(open)
    }
  }
  return tables
}

/** `above`: the first row of the sheet, if this text goes on below it. */
function sheetChunks(
  text: string,
  part: number,
  writer: Writer,
  above: string[] | undefined,
): { chunks: Chunk[]; head: string[] | undefined } {
  const { rows, rest } = sheetOf(text)
  const first = above === undefined ? rows[0] : undefined
  const own = first === undefined ? undefined : contentOf(text, first).map((cell) => cell.slice(0, headCharacters))
  const head = above ?? own ?? []
  const inRows = batchesOf(rows).flatMap((batch) => {
    const [from, to] = [batch[0], batch.at(-1)]
    if (from === undefined || to === undefined) return []
    const cells = `${from.label}:${to.label}`
    const extra = from === first ? [] : head
    const content = batch.flatMap((row) => contentOf(text, row))
    if (to.end - from.start <= batchCharacters * 2)
      return [{ part, start: from.start, end: to.end, cells, ...writer.write(content, extra) }]
    // One row with more text than many chunks. Each has the header above it: all of it would be a row's length squared.
    return chunkPieces(text, { start: from.cells[1]?.start ?? from.start, end: to.end }).map((piece) => ({
      part,
      ...piece,
      cells,
      ...writer.write([text.slice(piece.start, piece.end)], extra.length === 0 ? [] : headAbove(extra, from, piece)),
    }))
  })
  const others = rest.flatMap((line) => chunkPieces(text, line))
  const beside = others.map((piece) => ({ part, ...piece, ...writer.write([text.slice(piece.start, piece.end)]) }))
  return { chunks: [...inRows, ...beside], head: above ?? own }
}

/** The cells of the header that stand above this piece of a row. */
function headAbove(head: string[], { cells }: Row, { start, end }: Span): string[] {
  const before = (place: number): number => {
    let [low, high] = [0, cells.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cells[middle]?.end ?? 0) < place) low = middle + 1
      else high = middle
    }
    return low
  }
  // The first cell is the row's number, which has none above it.
  return head.slice(Math.max(0, before(start) - 1), before(end))
}

/** The row's own number isn't one of its words. */
const contentOf = (text: string, row: Row): string[] =>
  row.cells.slice(1).map(({ start, end }) => text.slice(start, end))

function batchesOf(rows: Row[]): Row[][] {
  const batches: Row[][] = []
  for (let from = 0; from < rows.length; ) {
    const start = rows[from]?.start ?? 0
    let to = from + 1
    while (to < rows.length && to - from < batchRows && (rows[to]?.end ?? 0) - start <= batchCharacters) to++
    batches.push(rows.slice(from, to))
    if (to >= rows.length) break
    from = to - from > overlapRows * 2 ? to - overlapRows : to
  }
  return batches
}

/** Makes the words of a chunk. */
class Writer {
  readonly #terms: Terms
  readonly #vocabulary: Vocabulary

  constructor(terms: Terms, vocabulary: Vocabulary) {
    this.#terms = terms
    this.#vocabulary = vocabulary
  }

  /** `extra` can be found, too. How often it contains a word doesn't count, so each is written once with the others. */
  write(texts: string[], extra: string[] = []): { words: string; segments: string } {
    const words = new Set<string>()
    const runs: string[] = []
    for (const text of [...texts, ...extra]) {
      for (const token of tokensIn(text)) {
        if (token.kind === 'word') this.#vocabulary.add(token.forms[0] ?? '', text, token)
        if (token.kind === 'script') runs.push(token.forms[0] ?? '')
        else for (const term of this.#terms.of(token)) words.add(term)
      }
    }
    return { words: [...words].join(' '), segments: this.#terms.ofScripts(runs).join(' ') }
  }
}
