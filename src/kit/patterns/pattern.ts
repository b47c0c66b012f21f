import { RE2JS, RE2JSException } from 're2js'
import { Failure } from '../failure.ts'

/**
 * Instructions of a compiled expression. Matching takes time in proportion to instructions times characters (measured:
 * up to 35 ns each), so both are limited.
 */
const maxInstructions = 1000
const maxCharacters = 1000
/** Instructions times characters of one match: about 0.1 s at worst. */
const maxWork = 3_000_000

/** A regular expression from outside, and how long a line it can be tried on without stalling the bot. */
export interface Pattern {
  expression: RE2JS
  lineCharacters: number
}

/** Throws `bad_pattern`. RE2 syntax: linear in the text, whatever the expression. */
export function compilePattern(source: string, flags = 0): Pattern {
  if (source.length > maxCharacters)
    throw bad(`has ${source.length} characters; ${maxCharacters} are allowed`, 'Shorten it.')
  const expression = compiled(source, flags)
  const size = expression.programSize()
  if (size > maxInstructions) throw bad('repeats too much', 'Use smaller numbers in {…}, or * and +.')
  return { expression, lineCharacters: Math.floor(maxWork / Math.max(1, size)) }
}

function compiled(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags)
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown
    throw bad(
      `cannot be used (${thrown.message})`,
      'Use RE2 syntax: no look-around, no back-references; quote ( [ { . * + ? with \\.',
      thrown,
    )
  }
}

const bad = (fact: string, remedy: string, cause?: unknown): Failure =>
  new Failure('bad_pattern', `The pattern ${fact}.`, remedy, { cause })

/** A pattern of a rule or a grant: `*` stands for any text, `\*` for a star; between slashes it is an expression. */
export interface Wildcard {
  /** True if the whole text matches: for rules that allow. */
  fits(text: string): boolean
  /** The same, but also true for a text that is too long for an expression: for rules that restrict. */
  mayFit(text: string): boolean
}

/** Throws `bad_pattern`. A text that is too long for an expression never fits. */
export function compileWildcard(source: string): Wildcard {
  const inner = /^\/(.+)\/$/s.exec(source)?.[1]
  if (inner === undefined) {
    const pieces = piecesOf(source)
    const fits = (text: string) => fitsPieces(text, pieces)
    return { fits, mayFit: fits }
  }
  const { expression, lineCharacters } = compilePattern(inner, RE2JS.DOTALL)
  const isIn = (text: string) => expression.matcher(text).find()
  return {
    fits: (text) => text.length <= lineCharacters && isIn(text),
    mayFit: (text) => text.length > lineCharacters || isIn(text),
  }
}

/** A pattern that matches exactly this text. */
export const exactly = (text: string): string => {
  const quoted = text.replace(/[\\*]/g, '\\$&')
  // A text that looks like an expression must not become one.
  return quoted.startsWith('/') ? `\\${quoted}` : quoted
}

/** The literal texts between the stars. */
function piecesOf(source: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let quoted = false
  for (const character of source) {
    if (quoted || (character !== '*' && character !== '\\')) piece += character
    else if (character === '*') {
      pieces.push(piece)
      piece = ''
    }
    quoted = !quoted && character === '\\'
  }
  return [...pieces, piece]
}

/** The first piece at the beginning, the last at the end, the others in order at the earliest place. */
function fitsPieces(text: string, pieces: string[]): boolean {
  const first = pieces[0] as string
  if (pieces.length === 1) return text === first
  const last = pieces.at(-1) as string
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let place = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, place)
    if (found === -1 || found + piece.length > end) return false
    place = found + piece.length
  }
  return true
}
