import { RE2JS, RE2JSException } from 're2js'
import { BobbinError } from './errors.ts'

/**
 * Instructions of a compiled expression. Matching takes time in proportion to instructions times characters
 * (measured: up to 35 ns each), so both are bounded.
 */
const maxInstructions = 1000
const maxCharacters = 1000
/** Instructions times characters of one look: about 0.1 s at worst. */
const maxWork = 3_000_000

/** A regular expression from outside, and how much of a line it may be tried on without stalling the bot. */
export interface Pattern {
  expression: RE2JS
  lineCharacters: number
}

/** Throws `bad_pattern`. RE2 syntax: linear in the text whatever the expression is. */
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

const bad = (fact: string, remedy: string, cause?: unknown): BobbinError =>
  new BobbinError('bad_pattern', `The pattern ${fact}.`, remedy, { cause })
