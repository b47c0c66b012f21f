import type { ParsedDocument } from '../document.ts'
import { type Chunk, Chunker } from './chunks.ts'

/** A document with everything that is kept of it. */
export interface Parsed {
  document: ParsedDocument
  chunks: Chunk[]
  languages: string[]
  /** Blocks of lines; see `Vocabulary`. */
  vocabulary: string[]
}

/** Takes time in proportion to the text, so only readers run it. */
export function parsedOf(document: ParsedDocument): Parsed {
  const chunker = new Chunker()
  const chunks = chunker.add(document.parts)
  return { document, chunks, languages: chunker.languages, vocabulary: chunker.vocabulary.blocks() }
}
