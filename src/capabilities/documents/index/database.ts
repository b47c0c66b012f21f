import Sqlite from 'better-sqlite3'
import { deleteIndex, openIndex } from './open-index.ts'
import { type WordList, WordLists } from './word-lists.ts'

export const isDatabaseError = (thrown: unknown): boolean => thrown instanceof Sqlite.SqliteError

const isCorrupt = (thrown: unknown): boolean =>
  thrown instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED|IOERR_SHORT_READ)/.test(thrown.code)

/**
 * The index's file. All of its content can be rebuilt from the workspaces, so if it is damaged or of another version,
 * it is deleted and begun again. `generation` counts how often that happened.
 */
export class IndexDatabase {
  readonly #file: string
  readonly #report: (thrown: unknown) => void
  readonly #extension: string | undefined
  #database: Sqlite.Database
  #statements = new Map<string, Sqlite.Statement<unknown[]>>()
  generation = 0
  readonly #wordLists = new WordLists()

  /** `extension`: a library of SQL functions. */
  constructor(file: string, report: (thrown: unknown) => void, extension?: string) {
    this.#file = file
    this.#report = report
    this.#extension = extension
    this.#database = this.#opened()
  }

  all<Row>(text: string, ...values: unknown[]): Row[] {
    // The SQL beside the schema decides the type.
    return this.#guarded(() => this.#prepared(text).all(...values) as Row[])
  }

  first<Row>(text: string, ...values: unknown[]): Row | undefined {
    return this.#guarded(() => this.#prepared(text).get(...values) as Row | undefined)
  }

  /** The first column of each row, as numbers. */
  numbers(text: string, ...values: unknown[]): number[] {
    return this.#guarded(
      () =>
        this.#prepared(text)
          .pluck()
          .all(...values) as number[],
    )
  }

  run(text: string, ...values: unknown[]): { changes: number; id: number } {
    return this.#guarded(() => {
      const { changes, lastInsertRowid } = this.#prepared(text).run(...values)
      return { changes, id: Number(lastInsertRowid) }
    })
  }

  /** The words of documents, one list for each choice of languages. */
  wordListsOf(
    entries: { id: number; languages: string[]; lastChunk: number }[],
    breathe: () => Promise<void>,
  ): Promise<WordList[]> {
    const query = 'SELECT words FROM vocabulary WHERE document = ? ORDER BY block'
    const blocksOf = (id: number) => this.all<{ words: string }>(query, id).map(({ words }) => words)
    return this.#wordLists.of(entries, blocksOf, breathe)
  }

  /** Returns up to this many free pages to the disk. */
  shrink(pages: number): void {
    this.#guarded(() => this.#database.pragma(`incremental_vacuum(${pages})`))
  }

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    return this.#guarded(() => this.#database.transaction(work).immediate())
  }

  get isOpen(): boolean {
    return this.#database.open
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #prepared(text: string): Sqlite.Statement<unknown[]> {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    const statement = this.#database.prepare<unknown[]>(text)
    this.#statements.set(text, statement)
    return statement
  }

  /** If the index turns out to be damaged, the work that noticed ends with `IndexRemade`. */
  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (thrown) {
      if (!isCorrupt(thrown)) throw thrown
      this.#report(thrown)
      this.close()
      deleteIndex(this.#file)
      this.#database = this.#opened()
      this.generation++
      this.#wordLists.clear()
      throw new IndexRemade()
    }
  }

  #opened(): Sqlite.Database {
    const database = this.#soundOrAnew()
    if (this.#extension !== undefined) database.loadExtension(this.#extension)
    return database
  }

  #soundOrAnew(): Sqlite.Database {
    try {
      return openIndex(this.#file)
    } catch (thrown) {
      if (!isCorrupt(thrown)) throw thrown
      this.#report(thrown)
      deleteIndex(this.#file)
      return openIndex(this.#file)
    }
  }
}

/** The index was damaged and is empty now. Whatever was using it starts over. */
export class IndexRemade extends Error {
  constructor() {
    super('the index was damaged and has been made anew')
    this.name = 'IndexRemade'
  }
}
