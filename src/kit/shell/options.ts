import type { ShellWord } from './shell-word.ts'

export interface OptionRules {
  /** Letters whose value follows. */
  short?: string
  /** Letters whose value, if any, is the rest of the word. */
  glued?: string
  /** Long options whose value is the next word. */
  long?: string[]
  /** Options may follow operands too. */
  mixed?: boolean
  /** Long options can't be abbreviated. */
  whole?: boolean
}

export interface Option {
  /** With its dashes; a bundle such as `-lc` gives `-l` and `-c`. */
  name: string
  value: ShellWord | undefined
}

export interface Options {
  options: Option[]
  operands: ShellWord[]
  /** The value of an option may become several words, so the operands may be different. */
  computed: boolean
}

const part = (value: string, of: ShellWord): ShellWord => ({ value, source: of.source, several: false })

/** Reads the words after a program's name the way `getopt` does. */
export function readOptions(
  words: ShellWord[],
  { short = '', glued = '', long = [], mixed = false, whole = false }: OptionRules,
): Options {
  const read: Options = { options: [], operands: [], computed: false }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    const { value } = word
    if (value === '--') return { ...read, operands: [...read.operands, ...words.slice(at + 1)] }
    if (value === undefined || value === '-' || !value.startsWith('-')) {
      if (!mixed) return { ...read, operands: words.slice(at) }
      read.operands.push(word)
    } else if (value.startsWith('--')) {
      const equals = value.indexOf('=')
      const given = equals > 0 ? value.slice(0, equals) : value
      const abbreviated = long.find((name) => (whole ? name === given : name.startsWith(given)))
      if (equals > 0) read.options.push({ name: abbreviated ?? given, value: part(value.slice(equals + 1), word) })
      else if (abbreviated) {
        read.computed ||= words[at + 1]?.several ?? false
        read.options.push({ name: abbreviated, value: words[++at] })
      } else read.options.push({ name: value, value: undefined })
    } else at += readLetters(read, word, value, { short, glued }, words[at + 1])
  }
  return read
}

function readLetters(
  read: Options,
  word: ShellWord,
  value: string,
  { short, glued }: { short: string; glued: string },
  next: ShellWord | undefined,
): number {
  for (let at = 1; at < value.length; at++) {
    const letter = value[at] ?? ''
    const name = `-${letter}`
    if (glued.includes(letter)) {
      const rest = value.slice(at + 1)
      read.options.push({ name, value: rest === '' ? undefined : part(rest, word) })
      return 0
    }
    if (!short.includes(letter)) {
      read.options.push({ name, value: undefined })
      continue
    }
    const rest = value.slice(at + 1)
    if (rest !== '') {
      read.options.push({ name, value: part(rest, word) })
      return 0
    }
    read.options.push({ name, value: next })
    read.computed ||= next?.several ?? false
    return 1
  }
  return 0
}

export const optionValue = ({ options }: Options, ...names: string[]): ShellWord | undefined =>
  options.findLast(({ name }) => names.includes(name))?.value

export const has = ({ options }: Options, ...names: string[]): boolean =>
  options.some(({ name }) => names.includes(name))
