import { setImmediate } from 'node:timers/promises'
import { type Batch, type Intake, portionOf } from '../../../kit/documents/chunks/batches.ts'
import type { Chunk } from '../../../kit/documents/chunks/chunks.ts'
import type { Parsed } from '../../../kit/documents/chunks/parsed.ts'
import { wellFormed } from '../../../kit/documents/chunks/well-formed.ts'
import { tooComplex } from '../../../kit/documents/parse.ts'
import type { Failure } from '../../../kit/failure.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import { type EntryKey, idsOf, type WrittenSoFar } from './entries.ts'
import { blockCharacters } from './entry-text.ts'
import { removeEntry } from './remove-entry.ts'

/** Characters of text written at once: a few milliseconds. */
const goCharacters = 40_000

/** Numbers kept free for the chunks of a document whose end hasn't been read. They are never reused. */
const reservedChunks = 1_000_000

const insertEntry = `INSERT INTO documents
  (key, content, state, kind, notes, languages, failure, first_chunk, last_chunk, made_at, used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export function putFailure(database: IndexDatabase, { key, content }: EntryKey, failure: Failure, now: number): void {
  const { code, message, remedy } = failure
  const text = JSON.stringify({ code, message, remedy })
  database.run(insertEntry, key, content, 'failed', 'legacy', '[]', '[]', text, 0, -1, now, now)
}

/** Writes an entry step by step, portion by portion. It exists once it is complete. */
export class EntryWriter implements Intake {
  readonly #database: IndexDatabase
  readonly #key: EntryKey
  readonly #now: number
  readonly #written: (soFar: WrittenSoFar | undefined) => void
  #generation = -1
  #id = 0
  #next = 0
  #end = 0
  #parts = 0
  #blocks = 0
  /** Characters of each part. */
  #lengths: { text: number; formulas: number }[] = []

  /** `written`: hears of each portion that can be searched. Undefined: there is none any more. */
  constructor(
    database: IndexDatabase,
    key: EntryKey,
    now: number,
    written: (soFar: WrittenSoFar | undefined) => void = () => {},
  ) {
    this.#database = database
    this.#key = key
    this.#now = now
    this.#written = written
  }

  /** Whatever there is under this key was never finished, or failed long ago. */
  async begin(): Promise<void> {
    this.#written(undefined)
    this.#id = 0
    this.#parts = 0
    this.#blocks = 0
    this.#lengths = []
    for (const id of idsOf(this.#database, this.#key.key)) await removeEntry(this.#database, id)
    this.#generation = this.#database.generation
  }

  async take(portion: Batch): Promise<void> {
    if (this.#id === 0) this.#open(portion)
    if (this.#next + portion.chunks.length > this.#end) throw tooComplex('it has too many words')
    let go: (() => void)[] = []
    let characters = 0
    const write = async () => {
      const steps = go
      go = []
      characters = 0
      await setImmediate()
      this.#write(steps)
    }
    for (const { size, step } of this.#stepsOf(portion)) {
      go.push(step)
      characters += size
      if (characters >= goCharacters) await write()
    }
    go.push(() => this.#finish(portion))
    await write()
    const { expected } = portion.head ?? {}
    const written = { id: this.#id, lastChunk: this.#next - 1, parts: this.#parts }
    if (!portion.isLast) this.#written({ ...written, ...(expected === undefined ? {} : { expected }) })
  }

  #write(steps: (() => void)[]): void {
    // What was begun in the damaged file can't be continued in the new one.
    if (this.#database.generation !== this.#generation) throw new IndexRemade()
    this.#database.transaction(() => {
      for (const step of steps) step()
    })
  }

  #open({ head, chunks, isLast }: Batch): void {
    const database = this.#database
    const { key, content } = this.#key
    this.#write([
      () => {
        // Numbers are never reused: a search may still hold that of a document removed meanwhile.
        const first = (database.first<{ last_chunk: number }>('SELECT last_chunk FROM used')?.last_chunk ?? 0) + 1
        this.#next = first
        this.#end = first + (isLast ? chunks.length : reservedChunks)
        database.run('UPDATE used SET last_chunk = ?', this.#end - 1)
        const values = [key, content, 'making', head?.kind ?? 'legacy', '[]', '[]', null]
        this.#id = database.run(insertEntry, ...values, first, this.#end - 1, this.#now, this.#now).id
      },
    ])
  }

  #finish({ head, isLast }: Batch): void {
    const database = this.#database
    if (head !== undefined) {
      const facts = [head.kind, JSON.stringify(head.notes), JSON.stringify(head.languages)]
      database.run('UPDATE documents SET kind = ?, notes = ?, languages = ? WHERE id = ?', ...facts, this.#id)
    }
    if (isLast)
      database.run("UPDATE documents SET state = 'ready', last_chunk = ? WHERE id = ?", this.#next - 1, this.#id)
  }

  *#stepsOf({ parts, texts, chunks, vocabulary }: Batch): Generator<Step> {
    const database = this.#database
    for (const { unit, number, name, isPictured, isHidden } of parts) {
      const values = [this.#id, this.#parts++, unit, number, name ?? null, isPictured ? 1 : 0, isHidden ? 1 : 0]
      this.#lengths.push({ text: 0, formulas: 0 })
      yield { size: 200, step: () => database.run('INSERT INTO parts VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)', ...values) }
    }
    for (const { part, field, text } of texts) {
      const lengths = this.#lengths[part] ?? { text: 0, formulas: 0 }
      yield* textSteps(database, [this.#id, part, field], text, lengths[field])
      lengths[field] += text.length
    }
    for (const part of new Set(texts.map(({ part }) => part))) {
      const { text = 0, formulas = 0 } = this.#lengths[part] ?? {}
      const values = [text, formulas, this.#id, part]
      const update = 'UPDATE parts SET characters = ?, formula_characters = ? WHERE document = ? AND part = ?'
      yield { size: 200, step: () => database.run(update, ...values) }
    }
    for (const words of vocabulary) {
      const values = [this.#id, this.#blocks++, words.toWellFormed()]
      yield { size: words.length, step: () => database.run('INSERT INTO vocabulary VALUES (?, ?, ?)', ...values) }
    }
    for (const chunk of chunks) {
      const id = this.#next++
      yield { size: 4 * (chunk.words.length + chunk.segments.length), step: () => putChunk(database, id, chunk) }
    }
  }
}

/** Writes an entry that is there as a whole. */
export async function putEntry(database: IndexDatabase, key: EntryKey, parsed: Parsed, now: number): Promise<void> {
  const writer = new EntryWriter(database, key, now)
  await writer.begin()
  await writer.take(portionOf(parsed))
}

interface Step {
  size: number
  step: () => void
}

/** `from`: how much of the text has been written before. */
function* textSteps(database: IndexDatabase, place: unknown[], text: string, from: number): Generator<Step> {
  for (let start = 0; start < text.length; ) {
    const end = wellFormed(text, Math.min(text.length, start + blockCharacters))
    const values = [...place, from + start, text.slice(start, end).toWellFormed()]
    yield { size: end - start, step: () => database.run('INSERT INTO texts VALUES (?, ?, ?, ?, ?)', ...values) }
    start = end
  }
}

function putChunk(database: IndexDatabase, id: number, { part, start, end, cells, words, segments }: Chunk): void {
  database.run('INSERT INTO chunks VALUES (?, ?, ?, ?, ?)', id, part, start, end, cells ?? null)
  const texts = [words.toWellFormed(), segments.toWellFormed()]
  database.run('INSERT INTO terms (rowid, words, segments) VALUES (?, ?, ?)', id, ...texts)
}
