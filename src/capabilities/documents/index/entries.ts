import type { SessionId } from '../../../domain/ids.ts'
import type { DocumentKind } from '../../../kit/documents/document.ts'
import type { IndexDatabase } from './database.ts'

/** What is kept of one content, or why it can't be read. */
export interface Entry {
  id: number
  key: string
  kind: DocumentKind
  notes: string[]
  languages: string[]
  firstChunk: number
  lastChunk: number
  madeAt: number
  usedAt: number
  failure?: { code: string; message: string; remedy: string }
}

/** A searched document and its name. */
export interface SearchedDocument {
  path: string
  entry: Entry
}

interface EntryRow {
  id: number
  key: string
  kind: DocumentKind
  notes: string
  languages: string
  failure: string | null
  first_chunk: number
  last_chunk: number
  made_at: number
  used_at: number
}

/** What identifies an entry: `content` is the hash of the file, `key` the hash with the password, if there is one. */
export interface EntryKey {
  key: string
  content: string
}

/** Undefined if it isn't complete. */
export function entryOf(database: IndexDatabase, key: string): Entry | undefined {
  const row = database.first<EntryRow>("SELECT * FROM documents WHERE key = ? AND state <> 'making'", key)
  return row && entryIn(row)
}

/** A file of a session whose content has an entry, as it was when that was last compared. */
export interface IndexedFile {
  path: string
  size: number
  modifiedAt: number
  checkedAt: number
}

/** All of a session that aren't protected. */
export const indexedFiles = (database: IndexDatabase, session: SessionId): (IndexedFile & { entry: Entry })[] =>
  database
    .all<EntryRow & IndexedFile>(
      `SELECT documents.*, path, size, modified_at AS "modifiedAt", checked_at AS "checkedAt"
       FROM files JOIN documents ON key = files.content WHERE session = ? AND state = 'ready'`,
      session,
    )
    .map((row) => ({ ...fileIn(row), entry: entryIn(row) }))

/** The same with nothing but their kinds. */
export const indexedKinds = (database: IndexDatabase, session: SessionId): (IndexedFile & { kind: DocumentKind })[] =>
  database.all(
    `SELECT kind, path, size, modified_at AS "modifiedAt", checked_at AS "checkedAt"
     FROM files JOIN documents ON key = files.content WHERE session = ? AND state = 'ready'`,
    session,
  )

const fileIn = ({ path, size, modifiedAt, checkedAt }: IndexedFile): IndexedFile => ({
  path,
  size,
  modifiedAt,
  checkedAt,
})

/** What is written of an entry, and how many parts it will have. */
export interface WrittenSoFar {
  id: number
  lastChunk: number
  parts: number
  expected?: number
}

/** What has been written so far of an entry that is being made. */
export interface PartialEntry {
  entry: Entry
  /** How many parts there are, and how many there will be. */
  parts: number
  expected?: number
}

export function partialOf(
  database: IndexDatabase,
  key: string,
  { id, lastChunk, parts, expected }: WrittenSoFar,
): PartialEntry | undefined {
  const row = database.first<EntryRow>('SELECT * FROM documents WHERE id = ? AND key = ?', id, key)
  if (row === undefined) return undefined
  return { entry: { ...entryIn(row), lastChunk }, parts, ...(expected === undefined ? {} : { expected }) }
}

function entryIn(row: EntryRow): Entry {
  return {
    id: row.id,
    key: row.key,
    kind: row.kind,
    notes: JSON.parse(row.notes),
    languages: JSON.parse(row.languages),
    firstChunk: row.first_chunk,
    lastChunk: row.last_chunk,
    madeAt: row.made_at,
    usedAt: row.used_at,
    ...(row.failure === null ? {} : { failure: JSON.parse(row.failure) }),
  }
}

/** Even if it isn't complete. */
export const idsOf = (database: IndexDatabase, key: string): number[] =>
  database.numbers('SELECT id FROM documents WHERE key = ?', key)

export const touch = (database: IndexDatabase, { id }: Entry, now: number): void => {
  database.run('UPDATE documents SET used_at = ? WHERE id = ?', now, id)
}
