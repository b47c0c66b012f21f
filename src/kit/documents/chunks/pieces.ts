import { segmentsOf } from '../../text/segments.ts'
import type { Span } from '../../text/span.ts'
import { unspaced } from '../../text/unspaced.ts'
import { wellFormed } from './well-formed.ts'

/** A chunk's length, and how much of it the next one repeats, in characters. */
const chunkCharacters = 400
const overlapCharacters = 80

/** A word up to this length is never cut in two. */
const wholeWordCharacters = 100

/** How much the sentence splitter is given at once. */
const splitterCharacters = 20_000

interface Unit extends Span {
  /** A new chunk begins here: a heading. */
  isHead: boolean
  /** In a table: no part of it is repeated. */
  isRow: boolean
}

/** Spans of about 400 characters that end where sentences, paragraphs or rows do, and overlap by a fifth. */
export function chunkPieces(text: string, within: Span = { start: 0, end: text.length }): Span[] {
  const pieces: Span[] = []
  let current: Span | undefined
  let hasNew = false
  for (const unit of unitsOf(text, within)) {
    const isFull = current !== undefined && hasNew && unit.end - current.start > chunkCharacters
    if (current !== undefined && (isFull || (unit.isHead && current.end - current.start > overlapCharacters))) {
      pieces.push(current)
      const from = unit.isHead || unit.isRow ? unit.start : Math.max(current.start + 1, repeatedFrom(text, current))
      current = { start: from, end: unit.end }
    } else {
      current = { start: current?.start ?? unit.start, end: unit.end }
    }
    hasNew = true
  }
  if (current !== undefined) pieces.push(current)
  return pieces
}

/** Where the overlap with the next piece begins: at a word. */
function repeatedFrom(text: string, { end }: Span): number {
  const from = end - overlapCharacters
  const space = text.slice(from, end).search(/\s\S/)
  if (space !== -1) return from + space + 1
  return unspaced.test(text.slice(from, end)) ? wellFormed(text, from) : end
}

function* unitsOf(text: string, { start, end }: Span): Generator<Unit> {
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline === -1 || newline >= end ? end : newline
    const isRow = text.startsWith('|', at)
    const isHead = text.startsWith('#', at)
    let first = true
    for (const sentence of sentencesOf(text, at, lineEnd)) {
      yield { ...sentence, isRow, isHead: isHead && first }
      first = false
    }
    at = lineEnd + 1
  }
}

/** The sentences of one line, none longer than a chunk. */
function* sentencesOf(text: string, start: number, end: number): Generator<Span> {
  if (text.slice(start, Math.min(end, start + 100)).trim() === '' && end - start < 100) return
  if (end - start <= chunkCharacters / 2) return yield { start, end }
  for (let at = start; at < end; ) {
    const stop = Math.min(end, cutBefore(text, at, at + splitterCharacters))
    for (const { segment, index } of segmentsOf(text.slice(at, stop), 'sentence'))
      yield* cut(text, at + index, at + index + segment.length)
    at = stop
  }
}

function* cut(text: string, start: number, end: number): Generator<Span> {
  let at = start
  while (end - at > chunkCharacters) {
    const stop = cutBefore(text, at, at + chunkCharacters)
    yield { start: at, end: stop }
    at = stop
  }
  if (at < end) yield { start: at, end }
}

const inWord = /[\p{L}\p{N}\p{M}\u00ad\u200c-\u200d\-._@/:+#&'’,]/u

/** A place to cut, at `at` or a little before it: between words, if possible. */
export function cutBefore(text: string, start: number, at: number): number {
  if (at >= text.length) return text.length
  for (let place = at; place > Math.max(start, at - wholeWordCharacters); place--) {
    const before = text.charAt(place - 1)
    if (!inWord.test(before) || !inWord.test(text.charAt(place))) return wellFormed(text, place)
    if (unspaced.test(before)) return wellFormed(text, place)
  }
  return wellFormed(text, at)
}
