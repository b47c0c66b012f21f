import type { Assignment, DoubleQuotedChild, Word, WordPart } from 'unbash'

/** A word with quoting removed. */
export interface ShellWord {
  /** `undefined` if only a running shell could tell. */
  value: string | undefined
  /** As written. */
  source: string
  /** It may become several words or none, like an unquoted expansion. */
  several: boolean
}

export const literal = (value: string): ShellWord => ({ value, source: quoted(value), several: false })

/** Stands in for a word that another program inserts, such as `xargs`; read again, it is unknown too. */
export const filledIn: ShellWord = { value: undefined, source: '"$@"', several: true }

export const reserved = new Set(
  'if then else elif fi do done case esac while until for in function time coproc select { } ! [['.split(' '),
)

/** Quoted for a shell, always in the same way. */
export const quoted = (value: string): string =>
  /^[A-Za-z0-9_./:,+@%=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`

/** The same for the first word, which must not turn into a keyword or an assignment. */
export const quotedName = (value: string): string => {
  if (value === '[') return value
  return reserved.has(value) || value.includes('=') ? `'${value.replaceAll("'", "'\\''")}'` : quoted(value)
}

interface Reading {
  value: string
  /** The unquoted text, with a Q in place of anything quoted. */
  bare: string
  known: boolean
  several: boolean
}

const manyWords = (part: DoubleQuotedChild): boolean =>
  (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion') && /@|\*/.test(part.text)

// The rest can end the string early, depends on the locale, or is understood by bash alone.
const plainEscapes = /\\(?:[abefnrtv\\'"?]|x[1-9A-Fa-f][0-9A-Fa-f]?|[1-7][0-7]{0,2})/g

const tellable = (text: string, value: string): boolean =>
  !text.replace(plainEscapes, '').includes('\\') && !/[^\n\t\x20-\x7e]/.test(value)

function readPart(reading: Reading, part: WordPart) {
  if (part.type === 'Literal') {
    reading.value += part.value
    reading.bare += part.text.replace(/\\[\s\S]/g, 'Q')
    return
  }
  reading.bare += 'Q'
  if (part.type === 'SingleQuoted') reading.value += part.value
  else if (part.type === 'AnsiCQuoted' && tellable(part.text, part.value)) reading.value += part.value
  else if (part.type === 'DoubleQuoted') {
    for (const child of part.parts) {
      if (child.type === 'Literal') reading.value += child.value
      else reading.known = false
      if (manyWords(child)) reading.several = true
    }
  } else {
    reading.known = false
    if (!['AnsiCQuoted', 'LocaleString', 'ProcessSubstitution'].includes(part.type)) reading.several = true
  }
}

const matchesFiles = (bare: string): boolean =>
  /[*?]/.test(bare) || (bare.includes('[') && bare.lastIndexOf(']') > bare.indexOf('['))

const expandsBraces = (bare: string): boolean => {
  const open = bare.indexOf('{')
  if (open < 0) return false
  const inside = bare.slice(open)
  return inside.includes('}') && (inside.includes(',') || inside.includes('..'))
}

export function readWord(word: Word): ShellWord {
  const reading: Reading = { value: '', bare: '', known: true, several: false }
  if (word.parts) for (const part of word.parts) readPart(reading, part)
  else readPart(reading, { type: 'Literal', pos: word.pos, end: word.end, value: word.value, text: word.text })

  const { bare } = reading
  if (matchesFiles(bare) || expandsBraces(bare)) {
    reading.known = false
    reading.several = true
  }
  if (/^~|[=:]~/.test(bare)) reading.known = false
  return { value: reading.known ? reading.value : undefined, source: word.text, several: reading.several }
}

/** `name=value` as an argument, such as of `export`. */
export function readAssignment(assignment: Assignment): ShellWord {
  const known = assignedValue(assignment)
  const plain = known.value !== undefined && assignment.index === undefined
  const value = plain ? `${assignment.name}=${known.value}` : undefined
  return { value, source: assignment.text, several: false }
}

export function assignedValue({ value, text, append }: Assignment): ShellWord {
  if (value.type === 'ArrayValue' || append) return { value: undefined, source: text, several: false }
  return { ...readWord(value), several: false }
}

/** Whether a program could read it as an option, judged by its beginning. */
export const mayBeOption = ({ value, source, several }: ShellWord): boolean => {
  if (value !== undefined) return value.startsWith('-')
  const beginning = source.replace(/^["']+/, '')
  return !/^[A-Za-z0-9_./@%+:,~]/.test(beginning) || (several && /[$`]/.test(source))
}
