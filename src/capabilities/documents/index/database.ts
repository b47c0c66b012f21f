import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** The content depends on how words are made. After a change of this number, the file is rebuilt. */
const version = 2

// Words were already split where they were written, at spaces: every other character belongs to its word.
const schema = `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('making', 'ready', 'failed')),
    kind TEXT NOT NULL,
    notes TEXT NOT NULL,
    languages TEXT NOT NULL,
    failure TEXT,
    first_chunk INTEGER NOT NULL,
    last_chunk INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE used (last_chunk INTEGER NOT NULL) STRICT;
  INSERT INTO used VALUES (0);
  CREATE INDEX documents_by_content ON documents (content);
  CREATE TABLE parts (
    document INTEGER NOT NULL,
    part INTEGER NOT NULL,
    unit TEXT NOT NULL,
    number INTEGER NOT NULL,
    name TEXT,
    characters INTEGER NOT NULL,
    formula_characters INTEGER NOT NULL,
    PRIMARY KEY (document, part)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE texts (
    document INTEGER NOT NULL,
    part INTEGER NOT NULL,
    field TEXT NOT NULL CHECK (field IN ('text', 'formulas')),
    start INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document, part, field, start)
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    part INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    cells TEXT
  ) STRICT;
  CREATE VIRTUAL TABLE terms USING fts5 (
    words, segments, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.,@-/:_+#&'"
  );
  CREATE TABLE vocabulary (
    document INTEGER NOT NULL,
    block INTEGER NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (document, block)
  ) STRICT;
  CREATE TABLE files (
    session TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    content TEXT NOT NULL,
    checked_at INTEGER NOT NULL,
    PRIMARY KEY (session, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_content ON files (content);
`

export const isDatabaseError = (thrown: unknown): boolean => thrown instanceof Sqlite.SqliteError

/** Characters of vocabularies held in memory. */
const heldCharacters = 4_000_000

const lengthOf = (blocks: string[]): number => blocks.reduce((sum, block) => sum + block.length, 0)

const isCorrupt = (thrown: unknown): boolean =>
  thrown instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED|IOERR_SHORT_READ)/.test(thrown.code)

/**
 * The index's file. All of its content can be rebuilt from the workspaces, so if it is damaged or of another version,
 * it is deleted and begun again. `generation` counts how often that happened.
 */
export class IndexDatabase {
  readonly #file: string
  readonly #report: (thrown: unknown) => void
  #database: Sqlite.Database
  #statements = new Map<string, Sqlite.Statement<unknown[]>>()
  generation = 0
  /** Vocabularies that were read recently, by document number. Numbers are never reused. */
  readonly #vocabularies = new Map<number, string[]>()
  #held = 0

  constructor(file: string, report: (thrown: unknown) => void) {
    this.#file = file
    this.#report = report
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

  /** The words of a document, in blocks. They never change, and every search needs them. */
  vocabularyOf(document: number): string[] {
    const known = this.#vocabularies.get(document)
    this.#vocabularies.delete(document)
    const blocks =
      known ??
      this.all<{ words: string }>('SELECT words FROM vocabulary WHERE document = ? ORDER BY block', document).map(
        ({ words }) => words,
      )
    this.#vocabularies.set(document, blocks)
    if (known === undefined) this.#held += lengthOf(blocks)
    for (const [oldest, words] of this.#vocabularies) {
      if (this.#held <= heldCharacters) break
      this.#vocabularies.delete(oldest)
      this.#held -= lengthOf(words)
    }
    return blocks
  }

  /** Returns up to this many free pages to the disk. */
  shrink(pages: number): void {
    this.#guarded(() => this.#database.pragma(`incremental_vacuum(${pages})`))
  }

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    return this.#guarded(() => this.#database.transaction(work).immediate())
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
      this.#delete()
      this.#database = this.#opened()
      this.generation++
      this.#vocabularies.clear()
      this.#held = 0
      throw new IndexRemade()
    }
  }

  #opened(): Sqlite.Database {
    try {
      return this.#open()
    } catch (thrown) {
      if (!isCorrupt(thrown)) throw thrown
      this.#report(thrown)
      this.#delete()
      return this.#open()
    }
  }

  #open(): Sqlite.Database {
    const database = new Sqlite(this.#file, { timeout: 10_000 })
    try {
      const found = Number(database.pragma('user_version', { simple: true }))
      if (found === version) {
        prepare(database)
        return database
      }
      // An empty file counts as missing.
      const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
      if (tables === 0) {
        create(database)
        return database
      }
    } catch (thrown) {
      database.close()
      throw thrown
    }
    database.close()
    this.#delete()
    const anew = new Sqlite(this.#file, { timeout: 10_000 })
    create(anew)
    return anew
  }

  #delete(): void {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(this.#file + ending, { force: true })
  }
}

function prepare(database: Sqlite.Database): void {
  database.pragma('journal_mode = WAL')
  // After a power failure the last entries may be missing; they are made again.
  database.pragma('synchronous = NORMAL')
  database.pragma('cache_size = -16000')
}

function create(database: Sqlite.Database): void {
  database.pragma('auto_vacuum = INCREMENTAL')
  // An empty index isn't worth ten waits for the disk at every first start.
  database.pragma('synchronous = OFF')
  database.pragma('journal_mode = WAL')
  database.transaction(() => {
    database.exec(schema)
    // A large merge would hold everybody up.
    database.exec("INSERT INTO terms (terms, rank) VALUES ('automerge', 8), ('pgsz', 4050)")
    database.pragma(`user_version = ${version}`)
  })()
  prepare(database)
}

/** The index was damaged and is empty now. Whatever was using it starts over. */
export class IndexRemade extends Error {
  constructor() {
    super('the index was damaged and has been made anew')
    this.name = 'IndexRemade'
  }
}
