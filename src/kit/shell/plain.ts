import { posix } from 'node:path'
import { insideWorkspace } from '../sandbox/port.ts'
import { isPlainUse } from './plain-use.ts'
import type { PlainCommand, PlainWord } from './plan-types.ts'
import { quoted, reserved } from './shell-word.ts'

// The sections are those of the Bash Reference Manual (5.2). Whatever isn't named below isn't in the language:
// newlines before its end, backslashes, `$`, backquotes, parentheses, braces, `~`, `!`, `#`, `^`, `&` alone, `||`,
// here-documents, assignments.

/** 2 Definitions: a blank is a space or a tab. */
const blank = /[ \t]+/y
/**
 * 3.5 Shell Expansions, 3.1.3 Comments: none of these begins an expansion, a comment or an operator; letters of any
 * alphabet.
 */
const bare = /[A-Za-z0-9_./,:+@%=\-\u00c0-\u{3ffff}]+/uy
/** 3.1.2.2 Single Quotes: everything up to the next one is literal. */
const single = /'([\t -&(-~\u00a1-\u{3ffff}]*)'/uy
/**
 * 3.1.2.3 Double Quotes: everything is literal except `$`, a backquote, a backslash, and `!` in an interactive shell.
 */
const double = /"([\t #%-[\]-_a-~\u00a1-\u{3ffff}]*)"/uy
/** 3.5.8 Filename Expansion: the result is names of files, or the word itself. */
const glob = /[*?[\]]+/y
/** 3.2.3 Pipelines, 3.2.4 Lists: without `||`, `|&`, `;;` and `&`. */
const operator = /&&|\|(?![|&])|;(?!;)/y
/** 3.6.8 Duplicating File Descriptors: one output goes where another goes. */
const duplicate = /[12]?>&[12](?=[ \t|;&]|$)/y
/** 3.6 Redirections: to a file, of output or errors; from a file. A number counts only at the start of a word. */
const redirection = /([12]?>>?|<)[ \t]*/y

/**
 * 3.2.1 Reserved Words, 3.7.1 Simple Command Expansion: neither a reserved word nor an assignment, and never quoted.
 */
const name = /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/

/**
 * 4 Shell Builtin Commands: after these, the shell may be in another directory, so that `outputs/` is another folder.
 */
const moves = new Set('cd pushd popd eval source . command builtin trap'.split(' '))

const longest = 20_000
/** Each is looked up in the rules: a line with more is asked. */
const mostCommands = 100
/** They mean nothing to bash. */
const atEnd = /(?<![ \t\n])[ \t\n]+$/
// Letters only: U+00A0 and the like look like blanks.
const strange = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\t -~]/u

/** Reads from left to right; every character is read once. */
class Scanner {
  at = 0
  readonly line: string

  constructor(line: string) {
    this.line = line
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.line) ?? undefined
    if (found !== undefined) this.at = pattern.lastIndex
    return found
  }

  /** A word ends before a blank, an operator or the end of the line. */
  word(): PlainWord | undefined {
    const from = this.at
    let value = ''
    let expands: PlainWord['expands'] = 'no'
    for (;;) {
      const found = this.take(bare) ?? this.take(single) ?? this.take(double)
      if (found !== undefined) value += found[1] ?? found[0]
      else {
        const pattern = this.take(glob)
        if (pattern === undefined) break
        if (expands === 'no') expands = value === '' || value.startsWith('-') ? 'to anything' : 'behind its beginning'
        value += pattern[0]
      }
    }
    const isEnded = this.at === this.line.length || /[ \t|;&]/.test(this.line.charAt(this.at))
    if (this.at === from || !isEnded) return undefined
    return { value, source: this.line.slice(from, this.at), expands }
  }
}

/**
 * The simple commands of a line in the small language of commands that may run without asking; undefined if it contains
 * anything else. `directory` is where it runs, relative to the workspace. Pure, and linear in the line.
 */
export function plainCommands(text: string, directory: string): PlainCommand[] | undefined {
  const line = text.replace(atEnd, '')
  if (line.length > longest || strange.test(line)) return undefined
  const scanner = new Scanner(line)
  const commands: PlainCommand[] = []
  for (;;) {
    const command = simpleCommand(scanner, directory)
    if (command === undefined) return undefined
    commands.push(command)
    if (commands.length > mostCommands) return undefined
    const [between] = scanner.take(operator) ?? []
    scanner.take(blank)
    if (scanner.at === line.length) {
      const isEnded = between === undefined || between === ';'
      return isEnded && !isAstray(commands) ? commands : undefined
    }
    if (between === undefined) return undefined
  }
}

const isAstray = (commands: PlainCommand[]): boolean =>
  commands.some(({ program }) => moves.has(program)) &&
  commands.some(({ redirections }) => redirections.some(({ target }) => !target.startsWith('/')))

function simpleCommand(scanner: Scanner, directory: string): PlainCommand | undefined {
  scanner.take(blank)
  const first = scanner.word()
  if (first === undefined || !name.test(first.source) || reserved.has(first.source)) return undefined
  const words: PlainWord[] = []
  const redirections: PlainCommand['redirections'] = []
  while (scanner.take(blank) !== undefined) {
    if (scanner.at === scanner.line.length || /[|;&]/.test(scanner.line.charAt(scanner.at))) break
    if (scanner.take(duplicate) !== undefined) continue
    const [, arrow] = scanner.take(redirection) ?? []
    const word = scanner.word()
    if (word === undefined) return undefined
    if (arrow === undefined) words.push(word)
    else if (isWithin(word, arrow, directory)) redirections.push({ operator: arrow, target: word.value })
    else return undefined
  }
  const text = [first.source, ...words.map(({ value, source, expands }) => (expands === 'no' ? quoted(value) : source))]
  const program = first.source.slice(first.source.lastIndexOf('/') + 1)
  return { program, words, redirections, text: text.join(' '), isPlainUse: isPlainUse(program, words) }
}

/** Output goes to `outputs/` and `temp/`, input comes from the workspace; `/dev/null` will do for both. */
function isWithin({ value, expands }: PlainWord, arrow: string, directory: string): boolean {
  if (expands !== 'no') return false
  if (value === '/dev/null') return true
  if (value === '' || [...directory.split('/'), ...value.split('/')].includes('..')) return false
  const place = posix.resolve(insideWorkspace, directory, value)
  return arrow === '<' ? /^\/workspace\/./.test(place) : /^\/workspace\/(?:outputs|temp)\/./.test(place)
}
