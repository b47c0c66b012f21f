import { RE2JS } from 're2js'
import { Failure } from '../../kit/failure.ts'
import { compilePattern } from '../../kit/patterns/pattern.ts'

// Not picomatch: its expressions backtrack, and `*a*a*a*a*a*b` on a long name would stall the bot.

/**
 * Whether a path matches a glob: `**`, `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, and `\` for a literal character. A glob
 * without a slash is matched against the name alone. How accents are written makes no difference, nor does case, except
 * in a class. Throws `bad_pattern`.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (glob === '' || glob.startsWith('/')) throw bad(glob, 'Write it relative to the folder, such as "**/*.csv".')
  const source = translated(glob.replace(/^(\.\/)+/, '').normalize('NFC'))
  const { expression } = compilePattern(source, RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE)
  const byName = !glob.includes('/')
  return (path) => expression.matches((byName ? path.slice(path.lastIndexOf('/') + 1) : path).normalize('NFC'))
}

/** `**` comes first, with its slash, then longer pieces, so that alternation picks the right one. */
const pieces = /\*\*\/|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|\\.|[{},]|./gsu
/** Behind the last `]` nothing closes a `[`, and looking for its end from each one would take long. */
const closed = /\*\*\/|\*\*|\*|\?|\\.|[{},]|./gsu

function translated(glob: string): string {
  let open = 0
  const end = glob.lastIndexOf(']') + 1
  const found = [...glob.slice(0, end).matchAll(pieces), ...glob.slice(end).matchAll(closed)]
  const parts = found.map(([piece]) => {
    if (piece === '{') open++
    if (piece === '}' && --open < 0) throw bad(glob, 'A } has no {.')
    return translatedPiece(piece, open > 0)
  })
  if (open > 0) throw bad(glob, 'A { has no }.')
  return parts.join('')
}

const fixed: Record<string, string> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
}

function translatedPiece(piece: string, inBraces: boolean): string {
  if (piece === ',' && inBraces) return '|'
  if (piece.length > 1 && piece.startsWith('[')) return translatedClass(piece.slice(1, -1))
  return fixed[piece] ?? RE2JS.quote(piece.replace(/^\\(?=.)/, ''))
}

function translatedClass(body: string): string {
  const inner = (text: string) => text.replace(/[\\[\]^&]/g, '\\$&')
  const negated = /^[!^]/.test(body)
  // Case counts: `[A-Z]*` asks for capitals, and without it `[!a-z]` would leave them out.
  return `(?-i:${negated ? `[^/${inner(body.slice(1))}]` : `[${inner(body)}]`})`
}

const bad = (glob: string, remedy: string): Failure =>
  new Failure('bad_pattern', `${JSON.stringify(glob.slice(0, 100))} is no file pattern.`, remedy)
