import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** The content depends on how files are read and words are made. After a change of this number, the file is rebuilt. */
const version = 14

/** Which parts are scans: that there are none in a long document is seen without looking at all of its pages. */
export const isScanned = "unit = 'page' AND (characters = 0 OR pictured = 1)"

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
    pictured INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    PRIMARY KEY (document, part)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX scanned_parts ON parts (document, part) WHERE ${isScanned};
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
  CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
  CREATE TABLE embedded (
    document INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    next_chunk INTEGER NOT NULL
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

/** Opens the index's file. One that is missing or of another version is made anew. Throws when it is damaged. */
export function openIndex(file: string): Sqlite.Database {
  const database = new Sqlite(file, { timeout: 10_000 })
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
  deleteIndex(file)
  const anew = new Sqlite(file, { timeout: 10_000 })
  create(anew)
  return anew
}

export function deleteIndex(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true })
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
