import type { ScannedFile } from '../../../domain/scan.ts'
import type { ParserPool } from '../../../kit/documents/pool.ts'
import type { RecognizedText } from '../../../store/recognized-row.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import { type Entry, entryOf, idsOf } from './entries.ts'
import { isScanned } from './open-index.ts'
import { removeEntry } from './remove-entry.ts'
import { Shared } from './shared.ts'
import { putEntry } from './write-entry.ts'

const prefix = 'recognized:'

/** Whether its text was recognized in a picture. */
export const isRecognized = ({ key }: Entry): boolean => key.startsWith(prefix)

/** Pages without text, or with pictures beside it: those of a PDF, or an image. */
export function scannedPages(database: IndexDatabase, { id, kind }: Entry): number[] {
  if (kind === 'image') return [1]
  if (kind !== 'pdf') return []
  return database.numbers(
    `SELECT number FROM parts INDEXED BY scanned_parts WHERE document = ? AND ${isScanned} ORDER BY part`,
    id,
  )
}

/** Entries of recognized pages: one for each page, kept and removed with the content that they belong to. */
export class RecognizedPages {
  readonly #database: IndexDatabase
  readonly #pool: Pick<ParserPool, 'recognized'>
  readonly #now: () => number
  readonly #making = new Shared<Entry>()

  constructor(database: IndexDatabase, pool: Pick<ParserPool, 'recognized'>, now: () => number) {
    this.#database = database
    this.#pool = pool
    this.#now = now
  }

  /** Undefined if the page has no text. */
  async entry(
    { session, content, kind }: ScannedFile,
    { page, text }: RecognizedText,
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    if (text === null || text === '') return undefined
    const key = `${prefix}${content}:${page}`
    const known = () => entryOf(this.#database, key)
    const make = async (ending: AbortSignal): Promise<Entry> => {
      for (const id of idsOf(this.#database, key)) await removeEntry(this.#database, id)
      const parsed = await this.#pool.recognized(text, { of: kind, page }, ending, { owner: session })
      await putEntry(this.#database, { key, content }, parsed, this.#now())
      const made = known()
      if (made === undefined) throw new IndexRemade()
      return made
    }
    return known() ?? (await this.#making.do(key, signal, make))
  }
}
