import { setImmediate } from 'node:timers/promises'
import { RE2JS } from 're2js'
import { Terms } from '../../../kit/documents/chunks/terms.ts'
import { Failure } from '../../../kit/failure.ts'
import { type Finder, openFinder } from '../../../kit/patterns/finder.ts'
import type { Span } from '../../../kit/text/span.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { textOf } from './entry-text.ts'
import { partsHaving } from './find-words.ts'
import { requiredWords } from './required-words.ts'

export interface PatternPlace {
  entry: Entry
  part: number
  spans: Span[]
  within: Span
}

/** Searching blocks the event loop; after this long others get their turn. A whole search may take `totalMs`. */
const turnMs = 10
const totalMs = 20_000

/**
 * How far a search looks beyond its piece, in characters, so that a match may continue there; a longer match is cut.
 */
const beyondCharacters = 1000

/** Matches this close together count as one passage, unless it becomes this long. */
const nearCharacters = 200
const placeCharacters = 800

interface Time {
  began: number
  turn: number
  signal: AbortSignal
}

const finderFor = (source: string, signal: AbortSignal): Finder =>
  openFinder(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE, signal)

/** Throws `bad_pattern`. */
export const checkPattern = (source: string): void => finderFor(source, AbortSignal.abort()).end()

/** The places in each document where the pattern matches, at most `room` in each. Throws `bad_pattern`, `too_slow`. */
export async function findPattern(
  database: IndexDatabase,
  entries: Entry[],
  source: string,
  room: number,
  signal: AbortSignal,
): Promise<PatternPlace[][]> {
  const finder = finderFor(source, signal)
  const words = requiredWords(source)
  const time = { began: performance.now(), turn: performance.now(), signal }
  const found: PatternPlace[][] = []
  try {
    for (const entry of entries) found.push(await placesIn(database, entry, finder, words, room, time))
  } finally {
    finder.end()
  }
  return found
}

async function placesIn(
  database: IndexDatabase,
  entry: Entry,
  finder: Finder,
  words: string[],
  room: number,
  time: Time,
): Promise<PatternPlace[]> {
  const places: PatternPlace[] = []
  const parts = database.all<{ part: number; unit: string; characters: number }>(
    'SELECT part, unit, characters FROM parts WHERE document = ? ORDER BY part',
    entry.id,
  )
  const possible = partsWith(database, entry, words)
  for (const { part, unit, characters } of parts) {
    if (places.length >= room) break
    if (possible !== undefined && !possible.has(part)) continue
    const read = (start: number, end: number) => textOf(database, entry.id, part, start, end)
    const group = { isSheet: unit === 'sheet', room: room - places.length }
    for (const place of await partPlaces(read, characters, finder, group, time)) places.push({ entry, part, ...place })
  }
  return places
}

/** The parts that contain all these words. Undefined means all parts. */
function partsWith(database: IndexDatabase, entry: Entry, words: string[]): Set<number> | undefined {
  const terms = new Terms(entry.languages)
  let kept: Set<number> | undefined
  for (const word of words) {
    const parts = new Set(partsHaving(database, entry, terms.stems(word)))
    kept = kept === undefined ? parts : new Set([...kept].filter((part) => parts.has(part)))
  }
  return kept
}

async function partPlaces(
  read: (start: number, end: number) => string,
  characters: number,
  finder: Finder,
  { isSheet, room }: { isSheet: boolean; room: number },
  time: Time,
): Promise<{ spans: Span[]; within: Span }[]> {
  const places: { spans: Span[]; within: Span }[] = []
  // A tenth of the work allowed at once: a few milliseconds.
  const most = finder.kind === 'linear' ? finder.pattern.lineCharacters >> 3 : 50_000
  const step = Math.max(200, Math.min(50_000, most))
  // Look-behind may need what comes before the piece.
  const before = finder.kind === 'linear' ? 1 : beyondCharacters
  let from = 0
  for (let at = 0; at < characters; ) {
    await breathe(time)
    const lead = Math.max(0, at - before)
    const text = read(lead, Math.min(characters, at + step + beyondCharacters))
    const stop = at + step
    const matchFrom = await matchesIn(text, finder)
    for (let next = Math.max(from, at) - lead; next <= text.length; ) {
      const match = matchFrom(next)
      if (match === undefined) break
      const [start, end] = [match.start + lead, match.end + lead]
      if (start >= stop) break
      next = end > start ? end - lead : end - lead + 1
      from = Math.max(from, end)
      if (end > start) {
        if (places.length >= room && !isNear(places.at(-1), start)) return places
        const rows = isSheet ? rowsOf(read, start, end, characters) : { start, end }
        add(places, { start, end }, rows)
      }
      await breathe(time)
    }
    at = stop
  }
  return places
}

/** The most matches in one piece. */
const mostInPiece = 10_000

/** The first match at or after a place. */
async function matchesIn(text: string, finder: Finder): Promise<(from: number) => Span | undefined> {
  if (finder.kind === 'linear') {
    const matcher = finder.pattern.expression.matcher(text)
    return (from) => (matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined)
  }
  const [spans = []] = await finder.find([text], mostInPiece)
  return (from) => spans.find(({ start }) => start >= from)
}

const isNear = (place: { spans: Span[]; within: Span } | undefined, start: number): boolean =>
  place !== undefined &&
  start - (place.spans.at(-1)?.end ?? 0) < nearCharacters &&
  start - (place.spans[0]?.start ?? 0) < placeCharacters

function add(places: { spans: Span[]; within: Span }[], span: Span, rows: Span): void {
  const last = places.at(-1)
  if (last === undefined || !isNear(last, span.start)) {
    places.push({ spans: [span], within: rows })
    return
  }
  last.spans.push(span)
  last.within.end = Math.max(last.within.end, rows.end)
}

/** The whole rows around a match in a sheet, unless they are absurdly long. */
function rowsOf(read: (start: number, end: number) => string, start: number, end: number, characters: number): Span {
  const from = Math.max(0, start - 40_000)
  const line = read(from, start).lastIndexOf('\n')
  const newline = read(end, Math.min(characters, end + 40_000)).indexOf('\n')
  return { start: from + line + 1, end: newline === -1 ? Math.min(characters, end + 40_000) : end + newline }
}

async function breathe(time: Time): Promise<void> {
  const now = performance.now()
  if (now - time.began > totalMs)
    throw new Failure(
      'too_slow',
      'Searching for the pattern takes too long.',
      'Put a whole word into it, or name fewer files.',
    )
  if (now - time.turn < turnMs) return
  await setImmediate(undefined, { signal: time.signal })
  time.turn = performance.now()
}
