import { unspaced } from '../../text/unspaced.ts'
import { fold } from './fold.ts'
import { numberForms } from './numbers.ts'

/** Something in a text that can be found. `start` and `end` are offsets. */
export interface Token {
  start: number
  end: number
  /**
   * `word`: letters and digits. `number`: an amount or a number with dots, in all its spellings. `joined`: several
   * words that belong together, such as an address or a file number, in addition to its words. `script`: a run of a
   * script without spaces.
   */
  kind: 'word' | 'number' | 'joined' | 'script'
  /** Folded; the first is as it is written. */
  forms: string[]
}

/**
 * Raised figures are no digits of the number before them: 1,234 with a third footnote is found as 1,234. Behind a
 * letter they belong to it, as in m².
 */
const raised = '[⁰¹²³⁴-⁹]'
const character = `(?!${raised}(?<=\\d${raised}))[\\p{L}\\p{N}\\p{M}\\u00ad\\u200c\\u200d]`
const word = `(?:(?<=\\d)${raised}+|(?:${character})+)`

const run = new RegExp(`${word}(?:[-._@/:+#&'’,\\u00a0\\u202f\\u2009‐‑]${word})*`, 'gu')

const base = new RegExp(word, 'gu')

const scripts = new RegExp(`(?:${unspaced.source}\\p{M}*)+`, 'gu')

const onlyLetters = /^[\p{L}\p{M}]+$/u

/** Longer ones are found only by their words. */
const joinedCharacters = 100

interface Piece {
  start: number
  end: number
}

/** What can be found in a text, in order. Linear. */
export function* tokensIn(text: string): Generator<Token> {
  for (const { 0: whole, index } of text.matchAll(run)) {
    // Most words are this simple.
    if (whole.length <= 64 && /^[A-Za-z0-9]+$/.test(whole)) {
      yield { start: index, end: index + whole.length, kind: 'word', forms: [whole.toLowerCase()] }
      continue
    }
    if (!unspaced.test(whole)) {
      if (onlyLetters.test(whole)) yield* wordAt(whole, index)
      else yield* runOf(text, index, whole)
      continue
    }
    // A number or an address ends where such a script begins: "第4.2条".
    let from = 0
    for (const { 0: piece, index: at } of whole.matchAll(scripts)) {
      if (at > from) yield* runOf(text, index + from, whole.slice(from, at))
      from = at + piece.length
      yield { start: index + at, end: index + from, kind: 'script', forms: [piece.normalize('NFKC')] }
    }
    if (from < whole.length) yield* runOf(text, index + from, whole.slice(from))
  }
}

function* runOf(text: string, start: number, whole: string): Generator<Token> {
  let group: Piece[] = []
  for (const { 0: word, index: at } of whole.matchAll(base)) {
    const piece = { start: start + at, end: start + at + word.length }
    const last = group.at(-1)
    if (last !== undefined && !isJoint(text, last.end)) {
      yield* tokensOf(text, group)
      group = []
    }
    group.push(piece)
  }
  yield* tokensOf(text, group)
}

/** Commas, spaces and apostrophes only belong to numbers; the others to whatever stands on both sides. */
const isJoint = (text: string, at: number): boolean =>
  !/[,'’\u00a0\u202f\u2009]/.test(text.charAt(at)) || (/\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1)))

function* tokensOf(text: string, group: Piece[]): Generator<Token> {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return
  const whole = text.slice(first.start, Math.min(last.end, first.start + joinedCharacters + 1))
  const isWhole = whole.length <= joinedCharacters
  const place = { start: first.start, end: last.end }
  const numbers = isWhole ? numberForms(whole) : undefined
  if (numbers !== undefined) yield { ...place, kind: 'number', forms: numbers.forms }
  if (numbers?.isAmount) return
  if (numbers === undefined && group.length > 1 && isWhole) {
    yield { ...place, kind: 'joined', forms: joinedForms(whole) }
  }
  for (const { start, end } of group) yield* wordAt(text.slice(start, end), start)
}

function* wordAt(word: string, start: number): Generator<Token> {
  const folded = fold(word)
  // Half-width katakana and the like are recognised only once they are folded; the offsets are the same.
  const kind = unspaced.test(folded) ? 'script' : 'word'
  if (folded !== '') yield { start, end: start + word.length, kind, forms: [folded] }
}

function joinedForms(whole: string): string[] {
  // The index splits at spaces and apostrophes.
  const written = fold(whole.replaceAll(/[‐‑]/g, '-').replaceAll(/['’\u00a0\u202f\u2009]/g, '_'))
  return /^\p{L}+(-\p{L}+)+$/u.test(written) ? [written, written.replaceAll('-', '')] : [written]
}
