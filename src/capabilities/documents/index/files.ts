import type { SessionId } from '../../../domain/ids.ts'
import type { IndexDatabase } from './database.ts'

/** A file as it was when its content was last read. */
export interface KnownFile {
  session: SessionId
  path: string
  size: number
  modifiedAt: number
  /** Hash of its content. */
  content: string
  checkedAt: number
}

interface FileRow {
  size: number
  modified_at: number
  content: string
  checked_at: number
}

export function fileOf(database: IndexDatabase, session: SessionId, path: string): KnownFile | undefined {
  const row = database.first<FileRow>('SELECT * FROM files WHERE session = ? AND path = ?', session, path)
  if (row === undefined) return undefined
  const { size, modified_at, content, checked_at } = row
  return { session, path, size, modifiedAt: modified_at, content, checkedAt: checked_at }
}

export function putFile(database: IndexDatabase, file: KnownFile): void {
  const { session, path, size, modifiedAt, content, checkedAt } = file
  database.run(
    'INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)',
    ...[session, path, size, modifiedAt, content, checkedAt],
  )
}

/** False if nothing was known of it. */
export const forgetFile = (database: IndexDatabase, session: SessionId, path: string): boolean =>
  database.run('DELETE FROM files WHERE session = ? AND path = ?', session, path).changes > 0

/** Those that were both written and last checked before then. */
export const forgetFiles = (database: IndexDatabase, session: SessionId, before = Number.MAX_SAFE_INTEGER): void => {
  database.run('DELETE FROM files WHERE session = ? AND max(modified_at, checked_at) < ?', session, before)
}

export const sessionsWithFiles = (database: IndexDatabase): SessionId[] =>
  database.all<{ session: SessionId }>('SELECT DISTINCT session FROM files').map(({ session }) => session)

/** Entries whose content no file has any more. */
export const unownedEntries = (database: IndexDatabase): number[] =>
  database.numbers(
    "SELECT id FROM documents WHERE state <> 'making' AND NOT EXISTS (SELECT 1 FROM files WHERE files.content = documents.content)",
  )

/** Entries that nobody has asked for since then. */
export const unusedEntries = (database: IndexDatabase, since: number): number[] =>
  database.numbers("SELECT id FROM documents WHERE state <> 'making' AND used_at < ?", since)

/** Entries beyond the limit: the most recently used are kept, up to this many characters. */
export const excessEntries = (database: IndexDatabase, characters: number): number[] =>
  database.numbers(
    `SELECT id FROM (
       SELECT documents.id, sum(coalesce(lengths.characters, 0)) OVER (ORDER BY used_at DESC, documents.id DESC) AS kept
       FROM documents LEFT JOIN
         (SELECT document, sum(characters + formula_characters) AS characters FROM parts GROUP BY document) AS lengths
         ON lengths.document = documents.id
       WHERE state <> 'making'
     ) WHERE kept > ?`,
    characters,
  )

/** What a process left behind when it ended while writing or removing. */
export const brokenEntries = (database: IndexDatabase): number[] =>
  database.numbers("SELECT id FROM documents WHERE state = 'making'")

/** Files that nobody has read since then, and whose content isn't kept. */
export const forgetUnchecked = (database: IndexDatabase, since: number): void => {
  database.run(
    'DELETE FROM files WHERE checked_at < ? AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.content = files.content)',
    since,
  )
}
