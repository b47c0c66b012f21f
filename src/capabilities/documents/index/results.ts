import type { DocumentMatch, DocumentQuery, PartEntry } from '../../../kit/documents/document.ts'
import type { Span } from '../../../kit/text/span.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry, SearchedDocument } from './entries.ts'
import { partOf, textOf } from './entry-text.ts'
import { type FoundPlace, overlap, sheetPassage, textPassage, textPlace } from './passage.ts'
import { isRecognized } from './recognized-pages.ts'

/** The most words that are marked in one passage. */
const maxSpans = 200

/** Two passages this close together become one, as long as that is no longer than this. */
const gapCharacters = 40
const joinedCharacters = 2000

/** One passage that will be shown. */
interface Shown {
  entry: Entry
  index: number
  part: PartEntry
  place: Span
  spans: Span[]
  score: number
  /** Of a sheet, whose rows are chosen at once. */
  rows?: { passage: string; cells?: string }
}

/** Collects the passages, best first. Shows no place twice: what is beside a passage becomes part of it. */
export class Results {
  readonly #database: IndexDatabase
  readonly #paths: Map<number, string>
  readonly #query: DocumentQuery
  readonly #shown: Shown[] = []
  readonly #parts = new Map<string, PartEntry | undefined>()
  #characters = 0

  constructor(database: IndexDatabase, searched: SearchedDocument[], query: DocumentQuery) {
    this.#database = database
    this.#paths = new Map(searched.map(({ path, entry }) => [entry.id, path]))
    this.#query = query
  }

  get isFull(): boolean {
    const { maxResults, mostCharacters = Number.POSITIVE_INFINITY } = this.#query
    return this.#shown.length >= maxResults || this.#characters >= mostCharacters
  }

  add(entry: Entry, index: number, found: FoundPlace, score: number): void {
    const part = this.#partOf(entry, index)
    if (part === undefined || !this.#paths.has(entry.id)) return
    const beside = this.#shown.filter((one) => one.entry.id === entry.id && one.index === index)
    const read = this.#reader(entry, index)
    const spans = found.spans.slice(0, maxSpans)
    if (part.unit === 'sheet') {
      if (this.isFull) return
      const { contextCharacters, mask = (all) => all } = this.#query
      const places = beside.map(({ place }) => place)
      const rows = sheetPassage({ ...found, spans }, contextCharacters, places, read, mask)
      if (rows !== undefined) this.#add({ entry, index, part, place: rows.place, spans, score, rows })
      return
    }
    // It was found by its title or header row, or by its meaning.
    const { start } = found.within
    this.#addText(
      { entry, index, part, score, spans: spans.length > 0 ? spans : [{ start, end: start }] },
      found,
      beside,
    )
  }

  /** The passages as they are shown. */
  get matches(): DocumentMatch[] {
    return this.#shown.map((one) => {
      const { entry, index, part, place, spans, score, rows } = one
      const { unit, number, name, isHidden } = part
      const { mask = (all) => all } = this.#query
      const text = rows?.passage ?? textPassage(place, spans, part.characters, this.#reader(entry, index), mask)
      return {
        path: this.#paths.get(entry.id) ?? '',
        kind: entry.kind,
        unit,
        number,
        ...(name === undefined ? {} : { name }),
        ...(rows?.cells === undefined ? {} : { cells: rows.cells }),
        passage: text,
        ...(isRecognized(entry) ? { isRecognized: true } : {}),
        ...(isHidden ? { isHidden } : {}),
        score: Math.round(score * 1000) / 1000,
      }
    })
  }

  #addText(one: Omit<Shown, 'place'>, found: FoundPlace, beside: Shown[]): void {
    const read = this.#reader(one.entry, one.index)
    const inside = (span: Span) => beside.find(({ place }) => overlap(span, place))
    for (const span of one.spans) inside(span)?.spans.push(span)
    const spans = one.spans.filter((span) => inside(span) === undefined)
    const { contextCharacters } = this.#query
    const places = beside.map(({ place }) => place)
    const place = textPlace({ ...found, spans }, contextCharacters, one.part.characters, places, read)
    if (place === undefined) return
    const near = beside.find((other) => isBeside(other.place, place))
    if (near !== undefined) {
      this.#characters += place.end - place.start
      near.place = union(near.place, place)
      near.spans.push(...spans)
    } else if (!this.isFull) this.#add({ ...one, spans, place })
  }

  #add(shown: Shown): void {
    this.#shown.push(shown)
    this.#characters += shown.rows?.passage.length ?? shown.place.end - shown.place.start
  }

  #reader(entry: Entry, index: number) {
    return (start: number, end: number) => textOf(this.#database, entry.id, index, start, end)
  }

  #partOf(entry: Entry, index: number): PartEntry | undefined {
    const key = `${entry.id}/${index}`
    if (!this.#parts.has(key)) this.#parts.set(key, partOf(this.#database, entry, index))
    return this.#parts.get(key)
  }
}

const union = (one: Span, other: Span): Span => ({
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
})

function isBeside(one: Span, other: Span): boolean {
  const { start, end } = union(one, other)
  return (
    one.start - other.end <= gapCharacters && other.start - one.end <= gapCharacters && end - start <= joinedCharacters
  )
}
