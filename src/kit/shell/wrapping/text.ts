import { has, type OptionRules, optionValue, readOptions } from '../options.ts'
import { type ProgramReader, unclear } from '../scope.ts'
import { shellText } from '../shell-text.ts'
import { literal } from '../shell-word.ts'

/** Programs that join their operands and give them to a shell. */
export const joins =
  (rules: OptionRules, skip: number, where: string): ProgramReader =>
  (call, scope, program) => {
    const read = readOptions(call.words.slice(1), rules)
    const words = read.operands.slice(skip)
    if (read.operands.slice(0, skip).some(({ several }) => several))
      unclear(scope, `the command of ${program} is computed`)
    if (program === 'parallel') unclear(scope, 'what parallel runs is not followed')
    if (words.length === 0) {
      if (where !== '' && call.input.kind !== 'nothing') unclear(scope, `what runs ${where} cannot be seen`)
      return undefined
    }
    shellText(words, call, scope, program)
    return undefined
  }

/** The option that contains a script; without it the remaining words are the command. */
export const commandOption =
  (letters: string[], rules: OptionRules, before: number): ProgramReader =>
  (call, scope, program) => {
    const read = readOptions(call.words.slice(1), rules)
    const text = optionValue(read, ...letters)
    if (text) shellText([text], call, scope, program)
    else if (has(read, ...letters)) unclear(scope, `the text that ${program} runs is missing`)
    const words = read.operands.slice(before)
    const [option, script] = words
    if (!text && option && letters.includes(option.value ?? '') && script) shellText([script], call, scope, program)
    else if (!text && words.length > 0) scope.call({ words, assigns: [], input: call.input })
    else if (!text && ['su', 'script', 'runuser'].includes(program)) {
      unclear(scope, `what runs in the shell of ${program} cannot be seen`)
    }
    return undefined
  }

export const su: ProgramReader = (call, scope, program, code) => {
  const words = call.words.map((word, at) => (at > 0 && word.value === '-' ? literal('-l') : word))
  const rules = { short: 'cgGsw', long: ['--command', '--group', '--shell', '--session-command'], mixed: true }
  if (has(readOptions(words.slice(1), rules), '-s', '--shell')) unclear(scope, 'su runs another shell')
  const reader = commandOption(['-c', '--command', '--session-command'], rules, Number.MAX_SAFE_INTEGER)
  return reader({ ...call, words }, scope, program, code)
}
