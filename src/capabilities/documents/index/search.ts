import { setImmediate } from 'node:timers/promises'
import { termsFor } from '../../../kit/documents/chunks/terms.ts'
import type { DocumentMatch, DocumentQuery, PartEntry } from '../../../kit/documents/document.ts'
import type { Span } from '../../../kit/text/span.ts'
import { type ChunkHit, Closer } from './closer.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { partOf, textOf } from './entry-text.ts'
import { findPattern } from './find-pattern.ts'
import { chunksOfPhrases, chunksWith, estimate } from './find-words.ts'
import { type FoundPlace, type Passage, sheetPassage, textPassage } from './passage.ts'
import { type Concept, wordQueryOf } from './query.ts'
import { blocksOf, forgive, isWidened, widen } from './widen.ts'

/** A searched document and its name. */
export interface SearchedDocument {
  path: string
  entry: Entry
}

/** Chunks that are read for one result, and how long that may take before others get their turn. */
const closelyPerResult = 2
const turnMs = 10

/** The most words that are marked in one passage. */
const maxSpans = 200

/** Searches these documents only: other documents affect neither the results nor their order. */
export async function searchIndex(
  database: IndexDatabase,
  searched: SearchedDocument[],
  query: DocumentQuery,
  signal: AbortSignal,
): Promise<{ matches: DocumentMatch[]; forgiven: string[] }> {
  const entries = searched.map(({ entry }) => entry)
  const results = new Results(database, searched, query)
  if (query.isPattern) {
    const found = await findPattern(database, entries, query.query, query.maxResults, signal)
    for (let turn = 0; !results.isFull && found.some((places) => turn < places.length); turn++) {
      for (const places of found) {
        const place = places[turn]
        if (place !== undefined) results.add(place.entry, place.part, place, 1)
      }
    }
    return { matches: results.matches, forgiven: [] }
  }
  const { hits, forgiven } = await findWords(database, entries, query, signal)
  const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE)
  for (const hit of hits)
    results.add(hit.entry, hit.part, { spans: hit.spans, focus: hit.focus, within: hit }, hit.score / best)
  return { matches: results.matches, forgiven }
}

async function findWords(
  database: IndexDatabase,
  entries: Entry[],
  { query, maxResults }: DocumentQuery,
  signal: AbortSignal,
): Promise<{ hits: ChunkHit[]; forgiven: string[] }> {
  const breathe = breather(signal)
  const words = wordQueryOf(query, [...new Set(entries.flatMap(({ languages }) => languages))])
  for (const { entry, block } of words.concepts.some(isWidened) ? blocksOf(database, entries) : []) {
    widen(words.concepts, entry, block)
    await breathe()
  }
  const forgiven = await forgiveMissing(database, entries, words.concepts, breathe)
  const allowed = chunksOfPhrases(database, entries, words.phrases)
  const room = Math.max(12, maxResults * closelyPerResult)
  const { ranked, weighed } = estimate(database, entries, words.concepts, room, allowed)
  await breathe()
  const closer = new Closer(database, words, weighed)
  const hits: ChunkHit[] = []
  for (const id of ranked) {
    if (hits.length >= room) break
    const entry = entries.find(({ firstChunk, lastChunk }) => id >= firstChunk && id <= lastChunk)
    const hit = entry && closer.look(entry, id)
    if (hit !== undefined) hits.push(hit)
    await breathe()
  }
  return { hits: hits.toSorted((a, b) => b.score - a.score || a.id - b.id), forgiven }
}

/** Words that no document contains are replaced by the nearest ones. */
async function forgiveMissing(
  database: IndexDatabase,
  entries: Entry[],
  concepts: Concept[],
  breathe: () => Promise<void>,
): Promise<string[]> {
  const forgiven = new Set<string>()
  for (const concept of concepts) {
    if (!concept.isWord || [...concept.similar.values()].some((weight) => weight > 0.3)) continue
    if (chunksWith(database, entries, concept.terms).length > 0) continue
    const near = []
    for (const { entry, block } of blocksOf(database, entries)) {
      for (const one of forgive([block], concept.written)) near.push({ ...one, entry })
      await breathe()
    }
    const least = Math.min(...near.map(({ distance }) => distance))
    for (const { folded, written, distance, entry } of near) {
      if (distance > least || forgiven.size >= 10) continue
      forgiven.add(written)
      for (const stem of termsFor(entry.languages).stems(folded)) concept.similar.set(stem, 0.9)
    }
  }
  return [...forgiven]
}

function breather(signal: AbortSignal): () => Promise<void> {
  let turn = performance.now()
  return async () => {
    signal.throwIfAborted()
    if (performance.now() - turn < turnMs) return
    await setImmediate()
    turn = performance.now()
  }
}

/** Collects the matches, best first, and shows no place twice. */
class Results {
  readonly matches: DocumentMatch[] = []
  readonly #database: IndexDatabase
  readonly #paths: Map<number, string>
  readonly #query: DocumentQuery
  readonly #shown = new Map<string, Span[]>()

  constructor(database: IndexDatabase, searched: SearchedDocument[], query: DocumentQuery) {
    this.#database = database
    this.#paths = new Map(searched.map(({ path, entry }) => [entry.id, path]))
    this.#query = query
  }

  get isFull(): boolean {
    return this.matches.length >= this.#query.maxResults
  }

  add(entry: Entry, index: number, found: FoundPlace, score: number): void {
    if (this.isFull) return
    const part = partOf(this.#database, entry, index)
    const path = this.#paths.get(entry.id)
    if (part === undefined || path === undefined) return
    const place = `${entry.id}/${index}`
    const shown = this.#shown.get(place) ?? []
    const spans = found.spans.slice(0, maxSpans)
    const passage = this.#passage(entry, index, part, { ...found, spans }, shown)
    if (passage === undefined) return
    this.#shown.set(place, [...shown, passage.place])
    const { unit, number, name } = part
    const { cells, passage: text } = passage
    const named = name === undefined ? {} : { name }
    this.matches.push({
      path,
      kind: entry.kind,
      unit,
      number,
      ...named,
      ...(cells === undefined ? {} : { cells }),
      passage: text,
      score: Math.round(score * 1000) / 1000,
    })
  }

  #passage(entry: Entry, index: number, part: PartEntry, found: FoundPlace, shown: Span[]): Passage | undefined {
    const read = (start: number, end: number) => textOf(this.#database, entry.id, index, start, end)
    const { contextCharacters } = this.#query
    if (part.unit === 'sheet') return sheetPassage(found, contextCharacters, shown, read)
    // It was found by its title or header row, so its beginning is shown.
    const { start } = found.within
    const spans = found.spans.length > 0 ? found.spans : [{ start, end: start }]
    return textPassage({ ...found, spans }, contextCharacters, part.characters, shown, read)
  }
}
