import type { DocumentKind, DocumentPart, DocumentPiece } from '../document.ts'
import { mostCharactersOf, type ParseLimits } from '../parse.ts'
import type { Chunk } from './chunks.ts'
import type { Parsed } from './parsed.ts'

export interface Head {
  kind: DocumentKind
  notes: string[]
  languages: string[]
  /** How many parts there will be, as far as is known. */
  expected?: number
}

/** A piece of what a reader sends: everything at once would hold up the receiver. */
export interface Batch {
  /** With the first one of a portion. The last one counts. */
  head?: Head
  /** New parts. */
  parts: Omit<DocumentPart, 'text' | 'formulas'>[]
  /** What is appended to texts. */
  texts: { part: number; field: 'text' | 'formulas'; text: string }[]
  chunks: Chunk[]
  vocabulary: string[]
  /** What has come so far can be searched. */
  endsPortion?: boolean
  isLast: boolean
}

/** Approximate characters of one batch. */
const batchCharacters = 250_000

const empty = (): Batch => ({ parts: [], texts: [], chunks: [], vocabulary: [], isLast: false })

/** Cuts what there is so far into batches. */
export function* split({ head, parts, texts, chunks, vocabulary, isLast }: Batch): Generator<Batch> {
  let batch: Batch = { ...empty(), ...(head === undefined ? {} : { head }) }
  let characters = 0
  const full = (more: number): boolean => {
    characters += more
    return characters >= batchCharacters
  }
  const next = (): Batch => {
    const done = batch
    batch = empty()
    characters = 0
    return done
  }
  for (const part of parts) {
    batch.parts.push(part)
    if (full(100)) yield next()
  }
  for (const { text: whole, ...place } of texts) {
    for (let at = 0; at < whole.length; at += batchCharacters) {
      const text = whole.slice(at, at + batchCharacters)
      batch.texts.push({ ...place, text })
      if (full(text.length)) yield next()
    }
  }
  for (const chunk of chunks) {
    batch.chunks.push(chunk)
    // An object takes longer than its characters.
    if (full(chunk.words.length + chunk.segments.length + 500)) yield next()
  }
  for (const block of vocabulary) {
    batch.vocabulary.push(block)
    if (full(block.length)) yield next()
  }
  yield { ...batch, ...(isLast ? {} : { endsPortion: true }), isLast }
}

/** A whole document in batches. */
export const batchesOf = (parsed: Parsed): Generator<Batch> => split(portionOf(parsed))

/** A whole document as its only portion. */
export const portionOf = ({ document, chunks, languages, vocabulary }: Parsed): Batch => ({
  head: { kind: document.kind, notes: document.notes, languages },
  ...piecesOf(document.parts, 0),
  chunks,
  vocabulary,
  isLast: true,
})

export function piecesOf(pieces: DocumentPiece[], count: number): Pick<Batch, 'parts' | 'texts'> {
  const parts: Batch['parts'] = []
  const texts: Batch['texts'] = []
  for (const { text, formulas = '', continues, ...rest } of pieces) {
    if (continues === undefined) parts.push(rest)
    const part = count + parts.length - 1
    if (text !== '') texts.push({ part, field: 'text', text })
    if (formulas !== '') texts.push({ part, field: 'formulas', text: formulas })
  }
  return { parts, texts }
}

/** The limit for all batches together. */
export interface MostOfBatches {
  parts: number
  characters: number
}

/**
 * As measured, texts and their search words are 1.3 to 3.2 times the text. Repeated table headers could make that any
 * number.
 */
export const mostOf = ({ parts, ...limits }: Omit<ParseLimits, 'unpackedBytes' | 'archiveEntries'>): MostOfBatches => ({
  parts,
  characters: 6 * mostCharactersOf(limits) + 1_000_000,
})

export const charactersOf = ({ texts, chunks, vocabulary }: Batch): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0) +
  chunks.reduce((sum, { words, segments }) => sum + words.length + segments.length, 0) +
  vocabulary.reduce((sum, block) => sum + block.length, 0)

/** Assembles batches to portions again. Throws if they aren't a document, since the reader may have been taken over. */
export class Gathering {
  readonly #most: MostOfBatches
  /** Of the text of each part. */
  readonly #lengths: number[] = []
  #characters = 0
  #portion = empty()

  constructor(most: MostOfBatches) {
    this.#most = most
  }

  /** What has come since the last portion, if this ends one. */
  add(batch: Batch): Batch | undefined {
    const { head, parts, texts, chunks, vocabulary, endsPortion, isLast } = batch
    for (const _ of parts) this.#lengths.push(0)
    for (const { part, field, text } of texts) {
      const length = this.#lengths[part]
      if (length === undefined) throw new Error('a text of no part')
      if (field === 'text') this.#lengths[part] = length + text.length
    }
    this.#characters += charactersOf(batch)
    if (this.#lengths.length > this.#most.parts || this.#characters > this.#most.characters)
      throw new Error('more than a document may have')
    // Each chunk is a span of a part.
    if (chunks.some(({ part, start, end }) => start > end || end > (this.#lengths[part] ?? -1)))
      throw new Error('a chunk of no part')
    const portion = this.#portion
    if (head !== undefined) portion.head = head
    for (const one of parts) portion.parts.push(one)
    for (const one of texts) portion.texts.push(one)
    for (const one of chunks) portion.chunks.push(one)
    for (const one of vocabulary) portion.vocabulary.push(one)
    if (!isLast && endsPortion !== true) return undefined
    this.#portion = empty()
    return { ...portion, isLast }
  }
}

/** Who takes a document portion by portion. */
export interface Intake {
  /** Reading begins, perhaps once more because the reader ended. */
  begin(): Promise<void>
  /** The next portion is read meanwhile, and taken after this one. */
  take(portion: Batch): Promise<void>
}

/** Takes a whole document. */
export class Whole implements Intake {
  parsed: Parsed = nothing()

  async begin(): Promise<void> {
    this.parsed = nothing()
  }

  async take({ head, parts, texts, chunks, vocabulary }: Batch): Promise<void> {
    const { document } = this.parsed
    if (head !== undefined) {
      document.kind = head.kind
      document.notes = head.notes
      this.parsed.languages = head.languages
    }
    for (const part of parts) document.parts.push({ ...part, text: '' })
    for (const { part, field, text } of texts) {
      const into = document.parts[part]
      if (into !== undefined) into[field] = (into[field] ?? '') + text
    }
    for (const chunk of chunks) this.parsed.chunks.push(chunk)
    for (const block of vocabulary) this.parsed.vocabulary.push(block)
  }
}

const nothing = (): Parsed => ({
  document: { kind: 'legacy', notes: [], parts: [] },
  chunks: [],
  languages: [],
  vocabulary: [],
})
