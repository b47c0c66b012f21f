import { setImmediate } from 'node:timers/promises'
import type { SessionId } from '../../../domain/ids.ts'
import { NotPermitted } from '../../../kit/model/model.ts'
import { documentsWords } from '../words.ts'
import type { ChunkHit } from './closer.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { partOf, textOf } from './entry-text.ts'
import { rangesOf } from './find-words.ts'
import { Shared } from './shared.ts'

/** What makes vectors, and for how much of a document. */
export interface VectorOptions {
  /** Identifies the model and its settings: vectors of another one are made again. */
  model: string
  /** Chunks of one document. The rest is found by its words only. */
  mostChunks: number
  /** Vectors of unit length, in the order of the texts. What they cost counts for the session. */
  make(session: SessionId, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  /** Path of sqlite-vec's library. */
  extension: string
}

/** Chunks whose vectors are made and stored together: what a crash may cost again. */
const chunksAtOnce = 64

/** Vectors that are compared before others get their turn: a few milliseconds. */
const comparedAtOnce = 4_000

/** After a failure it isn't tried again for so long, ms. */
const restMs = 60_000

/** How many chunks a wording finds by its meaning. */
const nearestMost = 24

/** How long a search waits for the vectors of its question, ms. Without them it finds words. */
const questionMs = 10_000

/** Vectors of chunks: derived, stored beside their words under the numbers of their chunks, and removed with them. */
export class Vectors {
  readonly #database: IndexDatabase
  readonly #options: VectorOptions
  readonly #report: (thrown: unknown) => void
  readonly #making = new Shared<void>()
  #restsUntil = 0

  constructor(database: IndexDatabase, options: VectorOptions, report: (thrown: unknown) => void) {
    this.#database = database
    this.#options = options
    this.#report = report
  }

  /** Makes what an entry lacks. Throws ModelFailure; what was made by then stays. */
  complete(session: SessionId, entry: Entry, signal: AbortSignal): Promise<void> {
    if (this.#next(entry) > this.#last(entry)) return Promise.resolve()
    return this.#making.do(String(entry.id), signal, (ending) => this.#make(session, entry, ending))
  }

  /** Makes in the background what these entries lack, one after the other. A failure of the model is reported. */
  async completeLater(session: SessionId, entries: Entry[], signal: AbortSignal): Promise<void> {
    if (performance.now() < this.#restsUntil) return
    try {
      for (const entry of entries) await this.complete(session, entry, signal)
    } catch (thrown) {
      if (!signal.aborted) this.#failed(thrown)
    }
  }

  /**
   * For each wording, the chunks nearest to it in meaning, best first. Or a sentence: the model doesn't answer, or may
   * not be asked.
   */
  async nearest(
    session: SessionId,
    entries: Entry[],
    wordings: readonly string[],
    signal: AbortSignal,
  ): Promise<ChunkHit[][] | string> {
    const own = entries.filter((entry) => this.#next(entry) > entry.firstChunk)
    if (own.length === 0) return []
    if (performance.now() < this.#restsUntil) return documentsWords.embeddingSilent()
    const soon = AbortSignal.any([signal, AbortSignal.timeout(questionMs)])
    try {
      const asked = await this.#options.make(session, wordings, soon)
      const lists: ChunkHit[][] = []
      for (const vector of asked) lists.push(await this.#nearestTo(own, bytesOf(vector), signal))
      return lists
    } catch (thrown) {
      signal.throwIfAborted()
      this.#failed(thrown)
      return thrown instanceof NotPermitted ? thrown.message : documentsWords.embeddingSilent()
    }
  }

  /** What one thread may not pay for says nothing about the model, and the others may go on. */
  #failed(thrown: unknown): void {
    if (thrown instanceof NotPermitted) return
    this.#restsUntil = performance.now() + restMs
    this.#report(thrown)
  }

  async #nearestTo(entries: Entry[], vector: Buffer, signal: AbortSignal): Promise<ChunkHit[]> {
    const found: { chunk: number; distance: number }[] = []
    for (const range of rangesOf(entries)) {
      for (let from = range.first; from <= range.last; from += comparedAtOnce) {
        found.push(
          ...this.#database.all<{ chunk: number; distance: number }>(
            `SELECT chunk, vec_distance_cosine(vec_int8(vector), vec_int8(?)) AS distance FROM vectors
             WHERE chunk BETWEEN ? AND ? AND length(vector) = ? ORDER BY distance LIMIT ?`,
            ...[vector, from, Math.min(range.last, from + comparedAtOnce - 1), vector.length, nearestMost],
          ),
        )
        await setImmediate(undefined, { signal })
      }
    }
    const hits = found
      .toSorted((a, b) => a.distance - b.distance)
      .flatMap(({ chunk, distance }) => this.#hitOf(entries, chunk, 1 - distance))
    return hits.slice(0, nearestMost)
  }

  /** None if it belongs to a document between those that are searched. */
  #hitOf(entries: Entry[], id: number, score: number): ChunkHit[] {
    const entry = entries.find(({ firstChunk, lastChunk }) => id >= firstChunk && id <= lastChunk)
    const row = this.#database.first<{ part: number; start: number; end: number }>(
      'SELECT part, start, "end" FROM chunks WHERE id = ?',
      id,
    )
    return entry === undefined || row === undefined
      ? []
      : [{ ...row, entry, id, spans: [], focus: [], score, share: 1 }]
  }

  async #make(session: SessionId, entry: Entry, signal: AbortSignal): Promise<void> {
    const { generation } = this.#database
    for (let from = this.#next(entry); from <= this.#last(entry); from = this.#next(entry)) {
      signal.throwIfAborted()
      const to = Math.min(this.#last(entry), from + chunksAtOnce - 1)
      const chunks = this.#database.all<{ id: number; part: number; start: number; end: number }>(
        'SELECT id, part, start, "end" FROM chunks WHERE id BETWEEN ? AND ?',
        ...[from, to],
      )
      const vectors =
        chunks.length === 0
          ? []
          : await this.#options.make(
              session,
              chunks.map((one) => this.#textOf(entry, one)),
              signal,
            )
      // The file was rebuilt: numbers mean something else now.
      if (this.#database.generation !== generation) return
      if (!this.#put(entry, chunks, vectors, to + 1)) return
    }
  }

  /** False if the document was removed meanwhile. */
  #put(entry: Entry, chunks: { id: number }[], vectors: Float32Array[], next: number): boolean {
    return this.#database.transaction(() => {
      if (this.#database.first("SELECT 1 FROM documents WHERE id = ? AND state = 'ready'", entry.id) === undefined)
        return false
      for (const [index, { id }] of chunks.entries()) {
        const vector = vectors[index]
        if (vector !== undefined)
          this.#database.run('INSERT OR REPLACE INTO vectors VALUES (?, ?)', id, bytesOf(vector))
      }
      this.#database.run('INSERT OR REPLACE INTO embedded VALUES (?, ?, ?)', entry.id, this.#options.model, next)
      return true
    })
  }

  /** The first chunk without a vector of this model. */
  #next({ id, firstChunk, lastChunk }: Entry): number {
    const row = this.#database.first<{ model: string; next_chunk: number }>(
      'SELECT model, next_chunk FROM embedded WHERE document = ?',
      id,
    )
    if (row === undefined) return firstChunk
    if (row.model === this.#options.model) return row.next_chunk
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM vectors WHERE chunk BETWEEN ? AND ?', firstChunk, lastChunk)
      this.#database.run('DELETE FROM embedded WHERE document = ?', id)
    })
    return firstChunk
  }

  #last({ firstChunk, lastChunk }: Entry): number {
    return Math.min(lastChunk, firstChunk + this.#options.mostChunks - 1)
  }

  #textOf(entry: Entry, { part, start, end }: { part: number; start: number; end: number }): string {
    const name = partOf(this.#database, entry, part)?.name
    return [...(name === undefined ? [] : [name]), textOf(this.#database, entry.id, part, start, end)].join('\n')
  }
}

/** One byte for each dimension, which leaves the order of cosines nearly as it is. */
function bytesOf(vector: Float32Array): Buffer {
  const most = vector.reduce((one, other) => Math.max(one, Math.abs(other)), Number.MIN_VALUE)
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((127 * value) / most)).buffer)
}
