import type { DocumentPiece } from '../document.ts'
import { tooComplex } from '../parse.ts'
import { type Batch, charactersOf, type Head, type MostOfBatches, piecesOf } from './batches.ts'
import { Chunker } from './chunks.ts'

/**
 * Makes portions of a document that is read piece by piece. Throws `too_complex` where they would be too large
 * together.
 */
export class Portions {
  readonly #chunker = new Chunker()
  readonly #most: MostOfBatches
  #parts = 0
  #characters = 0

  constructor(most: MostOfBatches) {
    this.#most = most
  }

  add(pieces: DocumentPiece[], facts: Omit<Head, 'languages'>, isLast: boolean): Batch {
    const chunks = this.#chunker.add(pieces)
    const { languages, vocabulary } = this.#chunker
    const made = piecesOf(pieces, this.#parts)
    const portion = { head: { ...facts, languages }, ...made, chunks, vocabulary: vocabulary.blocks(), isLast }
    this.#parts += made.parts.length
    this.#characters += charactersOf(portion)
    if (this.#parts > this.#most.parts || this.#characters > this.#most.characters)
      throw tooComplex('it has too many words')
    return portion
  }
}
