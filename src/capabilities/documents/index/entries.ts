import { setImmediate } from 'node:timers/promises'
import type { Chunk } from '../../../kit/documents/chunks/chunks.ts'
import type { Parsed } from '../../../kit/documents/chunks/parsed.ts'
import { wellFormed } from '../../../kit/documents/chunks/pieces.ts'
import type { DocumentKind, OpenDocument, PartEntry, PartUnit } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'

/** What is kept of one content, or why it cannot be read. */
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

interface PartRow {
  part: number
  unit: PartUnit
  number: number
  name: string | null
  characters: number
  formula_characters: number
}

/** Where an entry belongs: `content` is the hash of the file, `key` that with the password, if one was given. */
export interface EntryKey {
  key: string
  content: string
}

/** Characters of a text that are one row. */
const blockCharacters = 2000

/** Characters of text that are written in one go, and rows that are deleted: a few milliseconds each. */
const goCharacters = 40_000
const goRows = 200

/** Undefined when it is not there as a whole. */
export function entryOf(database: IndexDatabase, key: string): Entry | undefined {
  const row = database.first<EntryRow>("SELECT * FROM documents WHERE key = ? AND state <> 'making'", key)
  if (row === undefined) return undefined
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

/** Also one that is not there as a whole. */
export const idsOf = (database: IndexDatabase, key: string): number[] =>
  database.numbers('SELECT id FROM documents WHERE key = ?', key)

export const touch = (database: IndexDatabase, { id }: Entry, now: number): void => {
  database.run('UPDATE documents SET used_at = ? WHERE id = ?', now, id)
}

const insertEntry = `INSERT INTO documents
  (key, content, state, kind, notes, languages, failure, first_chunk, last_chunk, made_at, used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export function putFailure(database: IndexDatabase, { key, content }: EntryKey, failure: Failure, now: number): void {
  const { code, message, remedy } = failure
  const text = JSON.stringify({ code, message, remedy })
  database.run(insertEntry, key, content, 'failed', 'legacy', '[]', '[]', text, 0, -1, now, now)
}

/** Written bit by bit; the entry is there when all of it is. */
export async function putEntry(
  database: IndexDatabase,
  { key, content }: EntryKey,
  parsed: Parsed,
  now: number,
): Promise<void> {
  const { document, chunks, languages } = parsed
  const { id, first } = database.transaction(() => {
    // No number is given twice: a search may still hold that of a document that was removed meanwhile.
    const first = (database.first<{ last_chunk: number }>('SELECT last_chunk FROM used')?.last_chunk ?? 0) + 1
    database.run('UPDATE used SET last_chunk = ?', first + chunks.length - 1)
    const facts = [document.kind, JSON.stringify(document.notes), JSON.stringify(languages)]
    const values = [key, content, 'making', ...facts, null, first, first + chunks.length - 1, now, now]
    return { id: database.run(insertEntry, ...values).id, first }
  })
  const { generation } = database
  let go: (() => void)[] = []
  let characters = 0
  const write = async () => {
    const steps = go
    go = []
    characters = 0
    await setImmediate()
    // What was begun in the damaged file is not gone on with in the new one.
    if (database.generation !== generation) throw new IndexRemade()
    database.transaction(() => {
      for (const step of steps) step()
    })
  }
  for (const { size, step } of stepsOf(database, id, first, parsed)) {
    go.push(step)
    characters += size
    if (characters >= goCharacters) await write()
  }
  go.push(() => database.run("UPDATE documents SET state = 'ready' WHERE id = ?", id))
  await write()
}

interface Step {
  size: number
  step: () => void
}

function* stepsOf(database: IndexDatabase, id: number, first: number, parsed: Parsed): Generator<Step> {
  for (const [index, { unit, number, name, text, formulas = '' }] of parsed.document.parts.entries()) {
    const values = [id, index, unit, number, name ?? null, text.length, formulas.length]
    yield { size: 200, step: () => database.run('INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)', ...values) }
    yield* textSteps(database, [id, index, 'text'], text)
    yield* textSteps(database, [id, index, 'formulas'], formulas)
  }
  for (const [index, words] of parsed.vocabulary.entries())
    yield {
      size: words.length,
      step: () => database.run('INSERT INTO vocabulary VALUES (?, ?, ?)', id, index, words.toWellFormed()),
    }
  for (const [index, chunk] of parsed.chunks.entries())
    yield {
      size: 4 * (chunk.words.length + chunk.segments.length),
      step: () => putChunk(database, first + index, chunk),
    }
}

function* textSteps(database: IndexDatabase, place: unknown[], text: string): Generator<Step> {
  for (let start = 0; start < text.length; ) {
    const end = wellFormed(text, Math.min(text.length, start + blockCharacters))
    const values = [...place, start, text.slice(start, end).toWellFormed()]
    yield { size: end - start, step: () => database.run('INSERT INTO texts VALUES (?, ?, ?, ?, ?)', ...values) }
    start = end
  }
}

function putChunk(database: IndexDatabase, id: number, { part, start, end, cells, words, segments }: Chunk): void {
  database.run('INSERT INTO chunks VALUES (?, ?, ?, ?, ?)', id, part, start, end, cells ?? null)
  const texts = [words.toWellFormed(), segments.toWellFormed()]
  database.run('INSERT INTO terms (rowid, words, segments) VALUES (?, ?, ?)', id, ...texts)
}

/** The parts of an entry. */
const partsOf = (database: IndexDatabase, { id }: Entry): PartEntry[] =>
  database.all<PartRow>('SELECT * FROM parts WHERE document = ? ORDER BY part', id).map(partIn)

/** One of them. */
export function partOf(database: IndexDatabase, { id }: Entry, index: number): PartEntry | undefined {
  const row = database.first<PartRow>('SELECT * FROM parts WHERE document = ? AND part = ?', id, index)
  return row && partIn(row)
}

const partIn = ({ unit, number, name, characters, formula_characters }: PartRow): PartEntry => ({
  unit,
  number,
  ...(name === null ? {} : { name }),
  characters,
  hasFormulas: formula_characters > 0,
})

/** A stretch of a part's text. */
export function textOf(database: IndexDatabase, id: number, part: number, start: number, end: number): string {
  const blocks = database.all<{ start: number; text: string }>(
    "SELECT start, text FROM texts WHERE document = ? AND part = ? AND field = 'text' AND start > ? AND start < ? ORDER BY start",
    id,
    part,
    start - blockCharacters - 2,
    end,
  )
  const offset = blocks[0]?.start ?? 0
  return blocks
    .map(({ text }) => text)
    .join('')
    .slice(Math.max(0, start - offset), Math.max(0, end - offset))
}

/** Its texts are read when they are asked for. Throws `changed` when it is not kept any more by then. */
export function openEntry(database: IndexDatabase, entry: Entry): OpenDocument {
  const { kind, notes } = entry
  const parts = partsOf(database, entry)
  const read = (index: number, field: string, characters: number): string => {
    const text = blocksOf(database, entry.key, index, field).join('')
    if (text.length < characters) throw changed()
    return text
  }
  return {
    kind,
    notes,
    parts,
    text: (index) => read(index, 'text', parts[index]?.characters ?? 0),
    formulas: (index) => read(index, 'formulas', parts[index]?.hasFormulas ? 1 : 0),
  }
}

/** Asked for by key: after damage the number may be another document's. */
function blocksOf(database: IndexDatabase, key: string, part: number, field: string): string[] {
  try {
    const rows = database.all<{ text: string }>(
      `SELECT text FROM texts JOIN documents ON documents.id = texts.document
       WHERE key = ? AND part = ? AND field = ? ORDER BY start`,
      ...[key, part, field],
    )
    return rows.map(({ text }) => text)
  } catch (thrown) {
    if (thrown instanceof IndexRemade) throw changed()
    throw thrown
  }
}

const changed = (): Failure => new Failure('changed', 'It has been replaced meanwhile.', 'Read it again.')

/** Removes an entry bit by bit. It is not found any more at once. */
export async function removeEntry(database: IndexDatabase, id: number): Promise<void> {
  const chunks = database.first<{ first_chunk: number; last_chunk: number }>('SELECT * FROM documents WHERE id = ?', id)
  if (chunks === undefined) return
  const { generation } = database
  database.run("UPDATE documents SET state = 'making', key = 'removed:' || id, content = '' WHERE id = ?", id)
  for (let from = chunks.first_chunk; from <= chunks.last_chunk; from += goRows) {
    await setImmediate()
    if (database.generation !== generation) return
    const range = [from, Math.min(from + goRows - 1, chunks.last_chunk)]
    database.transaction(() => {
      database.run('DELETE FROM terms WHERE rowid BETWEEN ? AND ?', ...range)
      database.run('DELETE FROM chunks WHERE id BETWEEN ? AND ?', ...range)
    })
  }
  for (const table of ['texts', 'vocabulary', 'parts']) {
    const limited = table === 'parts' ? '' : `AND rowid IN (SELECT rowid FROM ${table} WHERE document = ? LIMIT 50)`
    for (let changes = 1; changes > 0; ) {
      await setImmediate()
      if (database.generation !== generation) return
      const values = limited === '' ? [id] : [id, id]
      changes = database.run(`DELETE FROM ${table} WHERE document = ? ${limited}`, ...values).changes
    }
  }
  database.run('DELETE FROM documents WHERE id = ?', id)
}
