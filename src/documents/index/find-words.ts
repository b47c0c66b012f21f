import type { Chunk } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { type Entry, textOf } from './entries.ts'
import { unspaced } from './fold.ts'
import type { Stretch } from './pieces.ts'
import { type Concept, type Phrase, phraseIn, unitsIn, type WordQuery } from './query.ts'
import { foldRun, Terms } from './terms.ts'
import { tokensIn } from './words.ts'

/** A chunk that was found, and what in it. The places count from the beginning of its part. */
export interface Hit extends Pick<Chunk, 'part' | 'start' | 'end'> {
  entry: Entry
  id: number
  /** The chunk's text. */
  text: string
  spans: Stretch[]
  score: number
}

/** How fast a repeated word stops counting, and how much a long chunk is held against it (BM25). */
const saturation = 1.2
const lengthShare = 0.4

/** Words of a usual chunk. */
const usualWords = 70

/** What a word counts for that only the head of a table has. */
const headShare = 0.3

const matching = (terms: Iterable<string>, star = ''): string =>
  Array.from(terms, (term) => `"${term.replaceAll('"', '""')}"${star}`).join(' OR ')

const rowsQuery = 'SELECT rowid FROM terms WHERE terms MATCH ? AND rowid BETWEEN ? AND ?'

/** The chunks of these documents that have any of the terms. Others are not even counted. */
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

interface Range {
  first: number
  last: number
}

/** Others' chunks between two documents that are stepped over, rather than asking twice. */
const gapChunks = 200

/** The ids of the documents' chunks, in as few ranges as there may be; `gaps` are not theirs. */
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

/** The parts of a document that have any of the terms. */
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
  /** The best first. */
  ranked: number[]
  /** How telling each word is within the searched documents. */
  weighed: Weighed[]
}

/** Every chunk that has any of the words, by a first estimate of its worth. At most `room` of them. */
export function estimate(database: IndexDatabase, entries: Entry[], concepts: Concept[], room: number): Estimate {
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
        // What has the word itself has it counted already.
        if (hits !== undefined && !hits.delete(id)) continue
        scores.set(id, (scores.get(id) ?? 0) + rarity * weight)
      }
    }
    return { concept, rarity }
  })
  return { ranked: best(scores, room), weighed }
}

/** The ids with the highest scores, in order; the lower id where they are alike. */
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

/** The chunks in or beside which all words of all phrases are. Undefined: there is no phrase. */
export function chunksOfPhrases(database: IndexDatabase, entries: Entry[], phrases: Phrase[]): Set<number> | undefined {
  let kept: Set<number> | undefined
  const terms = new Terms([...new Set(entries.flatMap(({ languages }) => languages))])
  for (const { tokens } of phrases) {
    for (const token of tokens) {
      // An address in a phrase may be a part of a longer one.
      if (token.kind === 'joined' || (token.kind === 'script' && token.end - token.start < 2)) continue
      const found = new Set(chunksWith(database, entries, terms.of(token)))
      const near = (id: number) => found.has(id) || found.has(id - 1) || found.has(id + 1)
      kept = new Set([...(kept ?? found)].filter(near))
    }
  }
  return kept
}

interface Term {
  concept: number
  weight: number
}

/** Looks at chunks closely: where the words are, how often, how near to one another. */
export class Closer {
  readonly #database: IndexDatabase
  readonly #query: WordQuery
  readonly #weighed: Weighed[]
  readonly #byTerm = new Map<string, Term[]>()
  readonly #terms = new Map<number, Terms>()
  readonly #scriptTerms: string[]

  constructor(database: IndexDatabase, query: WordQuery, weighed: Weighed[]) {
    this.#database = database
    this.#query = query
    this.#weighed = weighed
    for (const [index, { concept }] of weighed.entries()) {
      for (const [term, weight] of [...concept.similar, ...concept.terms.map((term) => [term, 1] as const)]) {
        const known = this.#byTerm.get(term) ?? []
        this.#byTerm.set(term, [...known, { concept: index, weight }])
      }
    }
    this.#scriptTerms = [...this.#byTerm.keys()].filter((term) => unspaced.test(term))
  }

  /** Undefined when a phrase is not there. */
  look(entry: Entry, id: number): Hit | undefined {
    const row = this.#database.first<Pick<Chunk, 'part' | 'start' | 'end'>>(
      'SELECT part, start, "end" FROM chunks WHERE id = ?',
      id,
    )
    if (row === undefined) return undefined
    const text = textOf(this.#database, entry.id, row.part, row.start, row.end)
    const phrases = this.#phrasesIn(entry, row)
    if (phrases === undefined) return undefined
    const { spans, score } = this.#weigh(entry, text)
    const moved = spans.map(({ start, end }) => ({ start: start + row.start, end: end + row.start }))
    return { entry, id, ...row, text, spans: [...phrases, ...moved], score: score + phrases.length * 0.01 }
  }

  #phrasesIn(entry: Entry, { part, start, end }: Pick<Chunk, 'part' | 'start' | 'end'>): Stretch[] | undefined {
    const found: Stretch[] = []
    for (const { units } of this.#query.phrases) {
      // It may begin in this chunk and end in the next.
      const margin = units.join(' ').length * 2 + 40
      const from = Math.max(0, start - margin)
      const text = textOf(this.#database, entry.id, part, from, end + margin)
      const places = phraseIn(unitsIn(text), units)
        .map((place) => ({ start: place.start + from, end: place.end + from }))
        .filter((place) => place.start < end && place.end > start)
      if (places.length === 0) return undefined
      found.push(...places)
    }
    return found
  }

  #weigh(entry: Entry, text: string): { spans: Stretch[]; score: number } {
    const terms = this.#terms.get(entry.id) ?? new Terms(entry.languages)
    this.#terms.set(entry.id, terms)
    const spans: Stretch[] = []
    const counts = this.#weighed.map(() => 0)
    const places: { at: number; concept: number }[] = []
    let length = 0
    for (const token of tokensIn(text)) {
      length++
      const found = token.kind === 'script' ? this.#scriptTermsIn(token.forms[0] ?? '') : terms.of(token)
      for (const term of found) {
        for (const { concept, weight } of this.#byTerm.get(term) ?? []) {
          counts[concept] =
            (counts[concept] ?? 0) + weight * (token.forms[0] === this.#weighed[concept]?.concept.written ? 1.2 : 1)
          places.push({ at: length, concept })
          spans.push(token.kind === 'script' ? within(text, token, term) : { start: token.start, end: token.end })
        }
      }
    }
    return { spans, score: this.#scoreOf(counts, places, length) }
  }

  /** Where there are no spaces, a word is wherever its characters are. */
  #scriptTermsIn(run: string): string[] {
    const folded = this.#scriptTerms.length === 0 ? '' : foldRun(run)
    return this.#scriptTerms.filter((term) => folded.includes(term))
  }

  #scoreOf(counts: number[], places: { at: number; concept: number }[], length: number): number {
    let [sum, matched, all] = [0, 0, 0]
    for (const [index, { rarity }] of this.#weighed.entries()) {
      const count = counts[index] ?? 0
      all += rarity
      if (count > 0) matched += rarity
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / usualWords)
      sum += count > 0 ? (rarity * count * (saturation + 1)) / (count + norm) : 0
    }
    if (all === 0) return 0
    if (matched === 0) return headShare
    return sum * (0.4 + (0.6 * matched) / all) * (1 + 0.5 * nearness(places))
  }
}

/** Of a dictionary's word, its place in the run; of one that is told only when it is folded, the run. */
function within(text: string, { start, end }: Stretch, term: string): Stretch {
  const at = text.slice(start, end).indexOf(term)
  return at === -1 ? { start, end } : { start: start + at, end: start + at + term.length }
}

/** 1 when all that was found stands side by side, towards 0 the further it is apart; of one word, 0. */
function nearness(places: { at: number; concept: number }[]): number {
  const different = new Set(places.map(({ concept }) => concept)).size
  if (different < 2) return 0
  const inWindow = new Map<number, number>()
  let shortest = Number.POSITIVE_INFINITY
  let from = 0
  for (const { at, concept } of places) {
    inWindow.set(concept, (inWindow.get(concept) ?? 0) + 1)
    while (inWindow.size === different) {
      const first = places[from++]
      if (first === undefined) break
      shortest = Math.min(shortest, at - first.at)
      const left = (inWindow.get(first.concept) ?? 0) - 1
      if (left === 0) inWindow.delete(first.concept)
      else inWindow.set(first.concept, left)
    }
  }
  return Math.min(1, (different - 1) / Math.max(1, shortest))
}
