import type { ParsedDocument } from '../document.ts'
import { type Chunk, chunksOf } from './chunks.ts'
import { languagesOf } from './languages.ts'
import { Vocabulary } from './vocabulary.ts'

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
  const vocabulary = new Vocabulary()
  const chunks = chunksOf(document, vocabulary)
  return { document, chunks, languages: languagesOf(document), vocabulary: vocabulary.blocks() }
}
