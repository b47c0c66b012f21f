import { bigrams, type Terms, termsFor } from '../../../kit/documents/chunks/terms.ts'
import type { Token } from '../../../kit/documents/chunks/tokens.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { type Concept, type Phrase, prefixed } from './query.ts'

const matching = (terms: Iterable<string>, star = ''): string =>
  Array.from(terms, (term) => `"${term.replaceAll('"', '""')}"${star}`).join(' OR ')

const rowsQuery = 'SELECT rowid FROM terms WHERE terms MATCH ? AND rowid BETWEEN ? AND ?'

/** The chunks of these documents that contain any of the terms. Other chunks aren't even counted. */
export function chunksWith(database: IndexDatabase, entries: Entry[], terms: string[], isPrefix = false): number[] {
  if (terms.length === 0) return []
  const match = matching(terms, isPrefix ? '*' : '')
  const found: number[] = []
  for (const { first, last, gaps } of rangesOf(entries)) {
    for (const id of database.numbers(rowsQuery, match, first, last))
      if (!gaps.some((gap) => id >= gap.first && id <= gap.last)) found.push(id)
  }
  return found
}

/** How many pairs of characters of a phrase are looked up. */
const maxPairs = 12

interface Range {
  first: number
  last: number
}

/** Two documents are read as one range if at most this many chunks between them belong to others. */
const gapChunks = 200

/** The ids of the documents' chunks, in as few ranges as possible; `gaps` belong to other documents. */
export function rangesOf(entries: Pick<Entry, 'firstChunk' | 'lastChunk'>[]): (Range & { gaps: Range[] })[] {
  const ranges: (Range & { gaps: Range[] })[] = []
  for (const { firstChunk, lastChunk } of entries.toSorted((a, b) => a.firstChunk - b.firstChunk)) {
    if (lastChunk < firstChunk) continue
    const previous = ranges.at(-1)
    const gap = { first: (previous?.last ?? 0) + 1, last: firstChunk - 1 }
    if (previous === undefined || gap.last - gap.first >= gapChunks || previous.gaps.length >= 8) {
      ranges.push({ first: firstChunk, last: lastChunk, gaps: [] })
      continue
    }
    if (gap.last >= gap.first) previous.gaps.push(gap)
    previous.last = lastChunk
  }
  return ranges
}

/** The parts of a document that contain any of the terms. */
export const partsHaving = (database: IndexDatabase, { firstChunk, lastChunk }: Entry, terms: string[]): number[] =>
  database.numbers(
    `SELECT DISTINCT part FROM chunks WHERE id IN (${rowsQuery})`,
    ...[matching(terms), firstChunk, lastChunk],
  )

export interface Weighed {
  concept: Concept
  rarity: number
}

export interface Estimate {
  /** Best first. */
  ranked: number[]
  /** How distinctive each word is within the searched documents. */
  weighed: Weighed[]
}

/**
 * Every chunk that contains any of the words, ranked by a first estimate. At most `room` of them; of `allowed`, all.
 */
export function estimate(
  database: IndexDatabase,
  entries: Entry[],
  concepts: Concept[],
  room: number,
  allowed?: Set<number>,
): Estimate {
  const chunks = entries.reduce((sum, { firstChunk, lastChunk }) => sum + lastChunk - firstChunk + 1, 0)
  const scores = new Map<number, number>()
  const weighed = concepts.map((concept) => {
    const weights = [...new Set(concept.similar.values())].toSorted((a, b) => b - a)
    const groups = [
      { weight: 1, ids: chunksWith(database, entries, concept.terms, concept.isPrefix) },
      ...weights.map((weight) => {
        const terms = [...concept.similar].filter(([, one]) => one === weight).map(([term]) => term)
        return { weight, ids: chunksWith(database, entries, terms) }
      }),
    ].filter(({ ids }) => ids.length > 0)
    const [only] = groups
    const hits = groups.length < 2 ? undefined : new Set<number>()
    for (const { ids } of hits === undefined ? [] : groups) for (const id of ids) hits?.add(id)
    const count = hits?.size ?? only?.ids.length ?? 0
    const rarity = Math.log(1 + (chunks - count + 0.5) / (count + 0.5)) * concept.weight
    for (const { weight, ids } of groups) {
      for (const id of ids) {
        // If the chunk contains the word itself, that has been counted.
        if (hits !== undefined && !hits.delete(id)) continue
        scores.set(id, (scores.get(id) ?? 0) + rarity * weight)
      }
    }
    return { concept, rarity }
  })
  if (allowed === undefined) return { ranked: best(scores, room), weighed }
  const worth = new Map(Array.from(allowed, (id) => [id, scores.get(id) ?? 0]))
  return { ranked: best(worth, worth.size), weighed }
}

/** The ids with the highest scores, in order; equal scores by id. */
function best(scores: Map<number, number>, room: number): number[] {
  const values = Float64Array.from(scores.values()).sort()
  const least = values[Math.max(0, values.length - room)] ?? 0
  const kept: [number, number][] = []
  for (const [id, score] of scores) if (score >= least) kept.push([id, score])
  return kept
    .toSorted(([a, one], [b, other]) => other - one || a - b)
    .slice(0, room)
    .map(([id]) => id)
}

/**
 * The chunks that contain all words of all phrases, in themselves or their neighbours. Undefined: there is no phrase.
 */
export function chunksOfPhrases(database: IndexDatabase, entries: Entry[], phrases: Phrase[]): Set<number> | undefined {
  let kept: Set<number> | undefined
  const words = termsFor([...new Set(entries.flatMap(({ languages }) => languages))])
  for (const terms of phrases.flatMap(({ tokens }) => tokens.flatMap((token) => alternativesOf(token, words)))) {
    const found = new Set(chunksWith(database, entries, terms))
    const near = (id: number) => found.has(id) || found.has(id - 1) || found.has(id + 1)
    kept = new Set([...(kept ?? found)].filter(near))
  }
  return kept
}

/** A phrase needs one word from each list. */
function alternativesOf(token: Token, terms: Terms): string[][] {
  // An address in a phrase may be part of a longer one.
  if (token.kind === 'joined') return []
  const [written = ''] = token.forms
  if (token.kind === 'word') return [[written, ...prefixed(written)].flatMap((word) => terms.stems(word))]
  if (token.kind !== 'script') return [token.forms]
  // The last character stands alone: what follows it isn't known.
  const pairs = bigrams(written).slice(0, -1)
  return pairs.slice(0, maxPairs).map((pair) => [pair])
}
