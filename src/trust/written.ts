import type { CommandRule, Rules } from './rules.ts'
import type { Ruling, Subject } from './subject.ts'
import { trustWords } from './words.ts'

// A grant for the closed sandbox allows what no parser followed, so the rules are matched against the raw text,
// whatever bash, Python or a program in between makes of it.

/** Longer texts always need approval. */
const most = { characters: 100_000, words: 5_000 }
/** How many words after a program's name count as its arguments. */
const mostArguments = 20
const mostOfCommand = 1_000

/** The strictest rule that anything in the text might match; undefined when bash's reading of it is certain. */
export function writtenRule(rules: Rules, { texts, scripts = [], inspection }: Subject): Ruling | undefined {
  if (scripts.length === 0 && isReadForSure(inspection)) return undefined
  const all = [...texts, ...scripts]
  const length = all.reduce((sum, text) => sum + text.length, 0)
  const lines = length > most.characters ? undefined : all.flatMap(linesOf)
  if (lines === undefined || lines.reduce((sum, words) => sum + words.length, 0) > most.words) {
    const reason = trustWords.commandTooLong()
    return asking('written', { action: 'require_approval', risk: 'medium', reason })
  }
  const place = rules.commands.findIndex((rule) => lines.some(fitting(rule)))
  const rule = rules.commands[place]
  return rule && asking(`commands[${place}]`, rule)
}

const asking = (name: string, { action, risk, reason }: Pick<Ruling, 'action' | 'risk' | 'reason'>): Ruling => ({
  rule: { layer: 'the tool’s own check', name },
  action,
  risk,
  reason,
})

/** The parser reads it as bash does, and knows every program in it. */
const isReadForSure = ({ plain, unclear, unseen = [] }: Subject['inspection']): boolean =>
  plain !== undefined && unclear.length === 0 && unseen.length === 0

/**
 * The words of each possible command, without quotes and comments. Brackets and commas separate words, as in a list of
 * arguments.
 */
const linesOf = (text: string): string[][] =>
  text
    .replace(/\\\r?\n/g, '')
    .replace(/^[ \t]*#.*$/gm, '')
    .replace(/\\[nrt]/g, '\n')
    .replace(/["'\\]/g, '')
    .split(/[\n\r;|&`<>]|\$\(/)
    .map((line) => line.split(/[\s\p{Cf}()[\]{},$]+/u).filter((word) => word !== ''))
    .filter(({ length }) => length > 0)

function fitting({ programs, options, text, writes }: CommandRule): (words: string[]) => boolean {
  const isProgram = remembered((name) => programs?.some((pattern) => pattern.mayFit(name)) !== false)
  const isFitting = remembered((command) => text?.some((pattern) => pattern.mayFit(command)) === true)
  const isWritten = remembered((path) => writes?.some((pattern) => pattern.mayFit(path)) === true)
  return (words) => {
    if (writes !== undefined && !words.some((word) => isWritten(word.slice(word.indexOf('/'))))) return false
    return words.some((word, place) => {
      const name = word.split(/[/=!:]/).at(-1) ?? ''
      if (!isProgram(name)) return false
      const rest = words.slice(place + 1, place + mostArguments)
      return (
        (text === undefined || isFitting([name, ...rest].join(' ').slice(0, mostOfCommand))) &&
        options.every((names) => isGiven(names, rest))
      )
    })
  }
}

function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>()
  return (text) => {
    const answer = known.get(text) ?? test(text)
    known.set(text, answer)
    return answer
  }
}

/** Programs accept abbreviated long options. */
const isGiven = (names: string[], args: string[]): boolean =>
  args.some((arg) => {
    const long = /^--([^=]+)/.exec(arg)?.[1]
    if (long !== undefined) return names.some((name) => name.length > 1 && name.startsWith(long))
    return arg.startsWith('-') && names.some((name) => name.length === 1 && arg.includes(name))
  })
