import type { DocumentKind, DocumentPart } from '../document.ts'
import type { ParseLimits } from '../parse.ts'
import type { Chunk } from './chunks.ts'
import type { Parsed } from './parsed.ts'

/** A piece of what a reader sends: everything at once would hold up the receiver. */
export interface Batch {
  /** With the first one. */
  head?: { kind: DocumentKind; notes: string[]; languages: string[] }
  /** New parts. */
  parts: Omit<DocumentPart, 'text' | 'formulas'>[]
  /** What is appended to texts. */
  texts: { part: number; field: 'text' | 'formulas'; text: string }[]
  chunks: Chunk[]
  vocabulary: string[]
  isLast: boolean
}

/** Approximate characters of one batch. */
const batchCharacters = 250_000

const empty = (): Batch => ({ parts: [], texts: [], chunks: [], vocabulary: [], isLast: false })

export function* batchesOf({ document, chunks, languages, vocabulary }: Parsed): Generator<Batch> {
  let batch: Batch = { ...empty(), head: { kind: document.kind, notes: document.notes, languages } }
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
  for (const [part, { text, formulas, ...rest }] of document.parts.entries()) {
    batch.parts.push(rest)
    for (const [field, whole] of [
      ['text', text],
      ['formulas', formulas ?? ''],
    ] as const) {
      for (let at = 0; at < whole.length; at += batchCharacters) {
        const slice = whole.slice(at, at + batchCharacters)
        batch.texts.push({ part, field, text: slice })
        if (full(slice.length)) yield next()
      }
    }
    if (full(100)) yield next()
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
  yield { ...batch, isLast: true }
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
export const mostOf = ({ parts, textCharacters }: Pick<ParseLimits, 'parts' | 'textCharacters'>): MostOfBatches => ({
  parts,
  characters: 6 * textCharacters + 1_000_000,
})

const charactersOf = (texts: string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

export const isMoreThan = (most: MostOfBatches, { document: { parts }, chunks, vocabulary }: Parsed): boolean =>
  parts.length > most.parts ||
  charactersOf(parts.flatMap(({ text, formulas = '' }) => [text, formulas])) +
    charactersOf(chunks.flatMap(({ words, segments }) => [words, segments])) +
    charactersOf(vocabulary) >
    most.characters

/** Assembles batches again. Throws if they aren't a document, since the reader may have been taken over. */
export class Gathering {
  readonly parsed: Parsed = {
    document: { kind: 'legacy', notes: [], parts: [] },
    chunks: [],
    languages: [],
    vocabulary: [],
  }
  readonly #most: MostOfBatches
  #characters = 0

  constructor(most: MostOfBatches) {
    this.#most = most
  }

  add({ head, parts, texts, chunks, vocabulary, isLast }: Batch): void {
    const { document } = this.parsed
    if (head !== undefined) {
      document.kind = head.kind
      document.notes = head.notes
      this.parsed.languages = head.languages
    }
    for (const part of parts) document.parts.push({ ...part, text: '' })
    for (const { part, field, text } of texts) {
      const into = document.parts[part]
      if (into === undefined) throw new Error('a text of no part')
      into[field] = (into[field] ?? '') + text
      this.#characters += text.length
    }
    for (const chunk of chunks) {
      this.parsed.chunks.push(chunk)
      this.#characters += chunk.words.length + chunk.segments.length
    }
    for (const block of vocabulary) {
      this.parsed.vocabulary.push(block)
      this.#characters += block.length
    }
    if (document.parts.length > this.#most.parts || this.#characters > this.#most.characters)
      throw new Error('more than a document may have')
    if (isLast) this.#check()
  }

  /** Each chunk is a span of a part. */
  #check(): void {
    const { document, chunks } = this.parsed
    const stray = chunks.find(({ part, start, end }) => start > end || end > (document.parts[part]?.text.length ?? -1))
    if (stray !== undefined) throw new Error('a chunk of no part')
  }
}
