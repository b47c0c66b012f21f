import { setImmediate } from 'node:timers/promises'
import type { Chunk } from '../../../kit/documents/chunks/chunks.ts'
import type { Parsed } from '../../../kit/documents/chunks/parsed.ts'
import { wellFormed } from '../../../kit/documents/chunks/well-formed.ts'
import type { Failure } from '../../../kit/failure.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import type { EntryKey } from './entries.ts'
import { blockCharacters } from './entry-text.ts'

/** Characters of text written at once: a few milliseconds. */
const goCharacters = 40_000

const insertEntry = `INSERT INTO documents
  (key, content, state, kind, notes, languages, failure, first_chunk, last_chunk, made_at, used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export function putFailure(database: IndexDatabase, { key, content }: EntryKey, failure: Failure, now: number): void {
  const { code, message, remedy } = failure
  const text = JSON.stringify({ code, message, remedy })
  database.run(insertEntry, key, content, 'failed', 'legacy', '[]', '[]', text, 0, -1, now, now)
}

/** Written step by step; the entry exists once it is complete. */
export async function putEntry(
  database: IndexDatabase,
  { key, content }: EntryKey,
  parsed: Parsed,
  now: number,
): Promise<void> {
  const { document, chunks, languages } = parsed
  const { id, first } = database.transaction(() => {
    // Numbers are never reused: a search may still hold that of a document removed meanwhile.
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
    // What was begun in the damaged file can't be continued in the new one.
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
