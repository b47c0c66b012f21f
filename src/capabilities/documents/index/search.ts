import { setImmediate } from 'node:timers/promises'
import { termsFor } from '../../../kit/documents/chunks/terms.ts'
import type { DocumentMatch, DocumentQuery } from '../../../kit/documents/document.ts'
import { type ChunkHit, Closer } from './closer.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry, SearchedDocument } from './entries.ts'
import { findPattern } from './find-pattern.ts'
import { chunksOfPhrases, chunksWith, estimate } from './find-words.ts'
import { joinedHits } from './join.ts'
import { type Concept, hasPhrase, wordQueryOf } from './query.ts'
import { Results } from './results.ts'
import { forgive, isWidened, widen } from './widen.ts'
import type { WordList } from './word-lists.ts'

/** Chunks that are read for one result, and how long that may take before others get their turn. */
const closelyPerResult = 2
const closelyToJoin = 24
const turnMs = 10

/** For each wording, the chunks nearest to it in meaning; or a sentence that says why there are none. */
export type Nearest = (
  entries: Entry[],
  wordings: readonly string[],
  signal: AbortSignal,
) => Promise<ChunkHit[][] | string>

/** Searches these documents only: other documents affect neither the results nor their order. */
export async function searchIndex(
  database: IndexDatabase,
  searched: SearchedDocument[],
  query: DocumentQuery,
  signal: AbortSignal,
  nearest: Nearest | undefined,
): Promise<{ matches: DocumentMatch[]; forgiven: string[]; byWordsOnly?: string }> {
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
  const wordings = [query.query, ...(query.others ?? [])]
  // Where a phrase is asked for, nothing else will do.
  const found = wordings.some(hasPhrase) ? [] : await nearest?.(entries, wordings, signal)
  const [byMeaning, byWordsOnly] = typeof found === 'string' ? [undefined, found] : [found, undefined]
  const lists = []
  const isJoined = wordings.length > 1 || (byMeaning?.length ?? 0) > 0
  for (const wording of wordings)
    lists.push(await findWords(database, entries, { ...query, query: wording }, isJoined, signal))
  const hits = joinedHits(
    lists.map((list) => list.hits),
    byMeaning,
  )
  // Where one of the wordings was found as it is, nothing had to be forgiven.
  const forgiven = lists.every((list) => list.forgiven.length > 0) ? lists.flatMap((list) => list.forgiven) : []
  const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE)
  for (const hit of hits)
    results.add(hit.entry, hit.part, { spans: hit.spans, focus: hit.focus, within: hit }, hit.score / best)
  return { matches: results.matches, forgiven, ...(byWordsOnly === undefined ? {} : { byWordsOnly }) }
}

async function findWords(
  database: IndexDatabase,
  entries: Entry[],
  { query, maxResults }: DocumentQuery,
  isJoined: boolean,
  signal: AbortSignal,
): Promise<{ hits: ChunkHit[]; forgiven: string[] }> {
  const breathe = breather(signal)
  const words = wordQueryOf(query, [...new Set(entries.flatMap(({ languages }) => languages))])
  const lists = words.concepts.some(isWidened) ? await database.wordListsOf(entries, breathe) : []
  for (const list of lists) {
    widen(words.concepts, list)
    await breathe()
  }
  const forgiven = await forgiveMissing(database, entries, words.concepts, lists, breathe)
  const allowed = chunksOfPhrases(database, entries, words.phrases)
  const room = Math.max(isJoined ? closelyToJoin : 12, maxResults * closelyPerResult)
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
  lists: WordList[],
  breathe: () => Promise<void>,
): Promise<string[]> {
  const forgiven = new Set<string>()
  for (const concept of concepts) {
    if (!concept.isWord || [...concept.similar.values()].some((weight) => weight > 0.3)) continue
    if (chunksWith(database, entries, concept.terms).length > 0) continue
    const near = []
    for (const { block, languages } of lists) {
      for (const one of forgive([block], concept.written)) near.push({ ...one, languages })
      await breathe()
    }
    const least = Math.min(...near.map(({ distance }) => distance))
    for (const { folded, written, distance, languages } of near) {
      if (distance > least || forgiven.size >= 10) continue
      forgiven.add(written)
      for (const stem of termsFor(languages).stems(folded)) concept.similar.set(stem, 0.9)
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
