import { has, type Option, type OptionRules, type Options, readOptions } from '../options.ts'
import { type ProgramReader, type Scope, subshell, unclear } from '../scope.ts'
import { literal } from '../shell-word.ts'

/** How to call a program that runs the words after its own options, such as `nice` or `timeout`. */
export interface Wrapper extends OptionRules {
  /** Words between the options and the command, such as the time of `timeout`. */
  before?: number
  /** It does something of its own, so it is reported beside the command. */
  reported?: boolean
  /** Variables may be set before the command. */
  assigns?: boolean
  /** With these it runs nothing. */
  asks?: string[]
}

/** A shell whose name begins with a dash reads the settings of a login. */
export function namedAnew({ options }: Options, scope: Scope, program: string, login?: string) {
  const isLogin = ({ name, value }: Option) =>
    name === login || (/^(?:-a|--argv0)$/.test(name) && (value?.value ?? '-').startsWith('-'))
  if (options.some(isLogin)) unclear(scope, `an option of ${program} makes a shell read the settings of a login`)
}

export const wrap =
  (rules: Wrapper): ProgramReader =>
  (call, scope, program) => {
    const read = readOptions(call.words.slice(1), rules)
    if (has(read, ...(rules.asks ?? []))) return undefined
    if (read.computed) unclear(scope, `the program that ${program} runs is computed`)
    if (program === 'sudo' && has(read, '-i', '-s', '-e', '--shell', '--login', '--edit')) {
      unclear(scope, 'what runs in the shell of sudo cannot be seen')
    }
    if (program === 'exec') namedAnew(read, scope, program, '-l')
    const inner = [...read.operands]
    const skipped = inner.splice(0, rules.before ?? 0)
    if (skipped.some(({ value, several }) => value === undefined && several)) {
      unclear(scope, `the program that ${program} runs is computed`)
    }
    const assigns = [...call.assigns]
    while (rules.assigns) {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(inner[0]?.value ?? '') ?? []
      if (name === undefined || value === undefined) break
      assigns.push({ name, value: literal(value) })
      inner.shift()
    }
    if (inner.length === 0) {
      if (rules.reported) unclear(scope, `what ${program} runs is not said`)
      return undefined
    }
    // Only these run in the shell itself, so that `cd` after them counts.
    const inside = /^(?:command|builtin)$/.test(program) ? scope : subshell(scope)
    inside.call({ words: inner, assigns, input: call.input })
    return rules.reported ? undefined : 'replaced'
  }
