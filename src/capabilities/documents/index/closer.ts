import type { Chunk } from '../../../kit/documents/chunks/chunks.ts'
import { foldRun, termsFor } from '../../../kit/documents/chunks/terms.ts'
import { tokensIn } from '../../../kit/documents/chunks/tokens.ts'
import type { Span } from '../../../kit/text/span.ts'
import { unspaced } from '../../../kit/text/unspaced.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { textOf } from './entry-text.ts'
import type { Weighed } from './find-words.ts'
import { phraseIn, unitsIn, type WordQuery } from './query.ts'
import { bestWindow, type Window, type WordPlace } from './window.ts'

/** A chunk that was found, and the matches in it. Offsets count from the beginning of its part. */
export interface ChunkHit extends Pick<Chunk, 'part' | 'start' | 'end'> {
  entry: Entry
  id: number
  spans: Span[]
  /** Where most of the matches are close together; in a sheet, those in each of the rows that match equally well. */
  focus: Span[]
  score: number
  /** How much of the question it has close together, from 0 to 1: rare words count more. */
  share: number
}

/** BM25: how quickly repeats of a word stop counting, and how much a long chunk is penalised. */
const saturation = 1.2
const lengthShare = 0.4

/** The weight of the words of a chunk, and of those that stand together. */
const chunkShare = 0.3
const windowShare = 1.5

/** For a script without spaces. */
const charactersOfWord = 2

/** Words in an average chunk. */
const usualWords = 70

/** The weight of a word that occurs only in the header row of a table. */
const headShare = 0.3

interface Term {
  concept: number
  weight: number
}

/** Ranks chunks by their text: which words they have, how often, and how near to one another. */
export class Closer {
  readonly #database: IndexDatabase
  readonly #query: WordQuery
  readonly #weighed: Weighed[]
  readonly #byTerm = new Map<string, Term[]>()
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

  /** Undefined if a phrase is missing. */
  look(entry: Entry, id: number): ChunkHit | undefined {
    const row = this.#database.first<Pick<Chunk, 'part' | 'start' | 'end'> & { cells: string | null }>(
      'SELECT part, start, "end", cells FROM chunks WHERE id = ?',
      id,
    )
    if (row === undefined) return undefined
    const { part, start, end, cells } = row
    const phrases = this.#phrasesIn(entry, row)
    if (phrases === undefined) return undefined
    const text = textOf(this.#database, entry.id, part, start, end)
    const { spans, focus, score, share } = this.#weigh(entry, text, cells !== null)
    const moved = (stretches: Span[]) => stretches.map((one) => ({ start: one.start + start, end: one.end + start }))
    return {
      entry,
      id,
      part,
      start,
      end,
      spans: [...phrases, ...moved(spans)],
      focus: phrases.length > 0 ? phrases : moved(focus),
      score: score + phrases.length * 0.01,
      share,
    }
  }

  #phrasesIn(entry: Entry, { part, start, end }: Pick<Chunk, 'part' | 'start' | 'end'>): Span[] | undefined {
    const found: Span[] = []
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

  #weigh(entry: Entry, text: string, isSheet: boolean): Pick<ChunkHit, 'spans' | 'focus' | 'score' | 'share'> {
    const terms = termsFor(entry.languages)
    const counts = this.#weighed.map(() => 0)
    const lines: WordPlace[][] = [[]]
    let length = 0
    let from = 0
    for (const token of tokensIn(text)) {
      const isScript = token.kind === 'script'
      const at = length
      length += isScript ? Math.ceil((token.end - token.start) / charactersOfWord) : 1
      const found = isScript ? this.#scriptTermsIn(token.forms[0] ?? '') : terms.of(token)
      for (const term of found) {
        for (const { concept, weight } of this.#byTerm.get(term) ?? []) {
          const isExact = token.forms[0] === this.#weighed[concept]?.concept.written
          counts[concept] = (counts[concept] ?? 0) + weight * (isExact ? 1.2 : 1)
          // Words in different rows don't belong together.
          if (isSheet && text.slice(from, token.start).includes('\n')) lines.push([])
          from = token.start
          const { start, end } = isScript ? within(text, token, term) : token
          const offset = Math.floor((start - token.start) / charactersOfWord)
          lines.at(-1)?.push({ start, end, at: isScript ? at + offset : at, concept, weight })
        }
      }
    }
    const rarities = this.#weighed.map(({ rarity }) => rarity)
    const windows = lines.map((places) =>
      bestWindow(
        places.toSorted((a, b) => a.start - b.start),
        rarities,
      ),
    )
    const least = 0.999 * Math.max(...windows.map(({ value }) => value))
    return {
      spans: lines.flat().map(({ start, end }) => ({ start, end })),
      focus: windows.filter(({ value, end }) => end > 0 && value >= least).map(({ start, end }) => ({ start, end })),
      ...this.#scoreOf(
        counts,
        length,
        windows.reduce((a, b) => (b.value * (1 + b.nearness) > a.value * (1 + a.nearness) ? b : a)),
      ),
    }
  }

  /** Without spaces, a word is wherever its characters are. */
  #scriptTermsIn(run: string): string[] {
    const folded = this.#scriptTerms.length === 0 ? '' : foldRun(run)
    return this.#scriptTerms.filter((term) => folded.includes(term))
  }

  #scoreOf(counts: number[], length: number, { value, nearness }: Window): Pick<ChunkHit, 'score' | 'share'> {
    let [sum, all] = [0, 0]
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / usualWords)
    for (const [index, { rarity }] of this.#weighed.entries()) {
      const count = counts[index] ?? 0
      all += rarity
      sum += (rarity * count * (saturation + 1)) / (count + norm)
    }
    if (all === 0) return { score: 0, share: 0 }
    const share = value / all
    if (value === 0) return { score: headShare, share }
    return { score: (chunkShare * sum + windowShare * value) * (0.4 + 0.6 * share) * (1 + 0.3 * nearness), share }
  }
}

/** Of a dictionary's word, its place in the run; of one that is told only when it is folded, the run. */
function within(text: string, { start, end }: Span, term: string): Span {
  const at = text.slice(start, end).indexOf(term)
  return at === -1 ? { start, end } : { start: start + at, end: start + at + term.length }
}
