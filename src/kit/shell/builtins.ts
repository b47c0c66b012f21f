import { arithmeticText, noSubscript, onlyNumber, subscript } from './arithmetic.ts'
import { optionValue, readOptions } from './options.ts'
import { type Call, moveTo, type ProgramReader, runsFile, subshell, unclear } from './scope.ts'
import { mayBeOption, type ShellWord } from './shell-word.ts'
import { assigned, filled, given } from './variables.ts'

const argsOf = (call: Call): ShellWord[] => call.words.slice(1)
const mayBe = (call: Call, pattern: RegExp): boolean =>
  argsOf(call).some((word) => (word.value === undefined ? mayBeOption(word) : pattern.test(word.value)))

/** Changes, or may change, what a later command means. */
const changes =
  (reason: string, harmless?: (call: Call) => boolean): ProgramReader =>
  (call, scope) => {
    if (!harmless?.(call)) unclear(scope, reason)
    return undefined
  }

const textOf = (words: ShellWord[]): string | undefined =>
  words.some(({ value }) => value === undefined) ? undefined : words.map(({ value }) => value).join(' ')

const evaluate: ProgramReader = (call, scope) => {
  const words = argsOf(call).filter(({ value }, at) => !(at === 0 && value === '--'))
  const text = textOf(words)
  if (text === undefined) unclear(scope, 'the text that eval runs is computed')
  else scope.script(text, call.input)
  return undefined
}

const source: ProgramReader = (call, scope, program) => {
  const [first] = argsOf(call)
  // Since bash 5.3, `-p` says in which folders it looks.
  if (first?.value !== '--' && first?.value?.startsWith('-')) {
    unclear(scope, `an option of ${program} says where it looks for the file`)
  }
  const [file] = argsOf(call).filter(({ value }, at) => !(at === 0 && value === '--'))
  if (file) runsFile(scope, file.value, program)
  return undefined
}

const trap: ProgramReader = (call, scope) => {
  const words = argsOf(call).filter(({ value }, at) => !(at === 0 && value === '--'))
  const [action] = words
  if (!action || /^-[lpP]/.test(action.value ?? '')) return undefined
  if (action.value === undefined) unclear(scope, 'the text that trap runs is computed')
  else if (words.length > 1 && !['-', ''].includes(action.value)) {
    const moves = words.slice(1).some(({ value }) => !/^(?:SIG)?(?:EXIT|INT|TERM|HUP|QUIT|0)$/.test(value ?? ''))
    if (moves && /\b(?:cd|pushd|popd|eval)\b/.test(action.value)) scope.directories = undefined
    const later = { ...subshell(scope), directories: undefined }
    later.script(action.value, { kind: 'unseen' })
  }
  return undefined
}

const safeNames = /^(?:errexit|nounset|xtrace|verbose|pipefail|noglob|noclobber|errtrace|functrace|allexport)$/

const set: ProgramReader = (call, scope) => {
  const words = argsOf(call)
  for (let at = 0; at < words.length; at++) {
    const value = words[at]?.value
    if (value === '--' || value === '-') return undefined
    if (value === undefined) {
      if (at === 0 || words[at]?.several) unclear(scope, 'the options that set changes are computed')
      return undefined
    }
    const [, letters] = /^[-+]([A-Za-z]+)$/.exec(value) ?? []
    if (letters === undefined) return undefined
    if (/[^euxvfCETao]/.test(letters)) unclear(scope, `set ${value} changes how bash reads commands`)
    if (!letters.includes('o')) continue
    const name = words[++at]?.value
    if (words[at] && !safeNames.test(name ?? '')) unclear(scope, `set -o ${name ?? ''} changes how bash reads commands`)
  }
  return undefined
}

const safeShopt = /^(?:-[supq]+|nullglob|globstar|dotglob|failglob|nocaseglob|nocasematch|inherit_errexit)$/

/** Only bash's own parentheses are unquoted: `a=(1 2)`. */
const compound = /^\w+(?:\[[^\]]*\])?\+?=\(/

/** Names and `name=value` of `declare`, `export`, `local` and `readonly`. */
const declare: ProgramReader = (call, scope, program) => {
  const words = argsOf(call)
  if (words.some(({ value }) => /^[-+][A-Za-z]*[ni]/.test(value ?? '')) && program !== 'export') {
    unclear(scope, `${program} gives a variable a meaning that is not followed`)
  }
  if (program === 'export' && words.some(({ value }) => /^-[A-Za-z]*f/.test(value ?? ''))) {
    unclear(scope, 'an exported function hides programs from other shells')
  }
  const isExport = program === 'export' || words.some(({ value }) => /^-\w*x/.test(value ?? ''))
  const makesArrays = words.some(({ value }) => /^[-+][A-Za-z]*[aA]/.test(value ?? ''))
  for (const { value, source } of words) {
    const [, name, index] = /^([A-Za-z_]\w*)(?:\[([^\]$`]*)\])?\+?=/.exec(value ?? source) ?? []
    if (index !== undefined) subscript(scope, index)
    if (makesArrays) scope.findings.arrays.add(name ?? value ?? '')
    if (name !== undefined || (value !== undefined && /^(?:[-+][A-Za-z]*|[A-Za-z_]\w*)$/.test(value))) {
      if (name === undefined && value !== undefined && program === 'export' && !/^-/.test(value)) continue
      const text = value?.slice(value.indexOf('=') + 1)
      if (name === undefined) continue
      const note = isExport ? given : assigned
      note(scope, name, text, /^[-+]?\d+$/.test(text ?? ''))
      if (text === undefined ? !compound.test(source) : text.startsWith('(')) scope.findings.declared.add(name)
    } else unclear(scope, `the variable that ${program} sets is computed`)
  }
  return undefined
}

const fills =
  (rules: string, fallback: string[]): ProgramReader =>
  (call, scope, program) => {
    const { options, operands } = readOptions(argsOf(call), { short: rules })
    for (const { name, value } of options) {
      if (name !== '-a' || program !== 'read') continue
      filled(scope, value?.value, program)
      scope.findings.arrays.add(value?.value ?? '')
    }
    for (const { value } of operands) {
      filled(scope, value, program)
      if (program !== 'read') scope.findings.arrays.add(value ?? '')
    }
    if (program !== 'read') scope.findings.arrays.add('MAPFILE')
    if (operands.length === 0) for (const name of fallback) filled(scope, name, program)
    if (options.some(({ name }) => name === '-C')) unclear(scope, `${program} -C runs a command for each line`)
    return undefined
  }

const printf: ProgramReader = (call, scope) => {
  const [option] = argsOf(call)
  const value = option?.value
  // A name can't end with a line break: `"$x\n"` isn't `-vname`.
  const mayName = option && value === undefined && (option.several || !/\\n"?$/.test(option.source))
  // In double quotes, only these can begin an option: not `"[$i] "`.
  const mayBegin = !option || !/^"(?!\\\n|[-$`"])/.test(option.source)
  if (mayName && mayBegin && mayBeOption(option)) unclear(scope, 'the first word of printf is computed')
  if (value === '-v') filled(scope, argsOf(call)[1]?.value, 'printf -v')
  else if (value?.startsWith('-v')) filled(scope, value.slice(2), 'printf -v')
  return undefined
}

const getopts: ProgramReader = (call, scope) => {
  filled(scope, argsOf(call)[1]?.value, 'getopts')
  assigned(scope, 'OPTARG', undefined, false)
  return undefined
}

const unset: ProgramReader = (call, scope) => {
  for (const { value } of argsOf(call)) {
    if (value?.startsWith('-')) continue
    filled(scope, value, 'unset')
  }
  return undefined
}

const letReader: ProgramReader = (call, scope) => {
  for (const { value, source } of argsOf(call)) arithmeticText(scope, value ?? source)
  return undefined
}

const test: ProgramReader = (call, scope) => {
  argsOf(call).forEach(({ value, source, several }, at, words) => {
    const operand = words[at + 1]?.value
    if ((value === '-v' || value === '-R') && !/^\w*$/.test(operand ?? '$')) {
      unclear(scope, `the operand of ${value} would be evaluated`)
    }
    if (value !== undefined) return
    if (words[at + 1] && (operand ?? '[').includes('[')) unclear(scope, `the operand of ${source} would be evaluated`)
    else if (several && /[$`]/.test(source)) noSubscript(scope, source)
  })
  return undefined
}

const cd: ProgramReader = (call, scope) => {
  const words = argsOf(call).filter(({ value }) => !/^-[LPe@]+$|^--$/.test(value ?? ''))
  const target = words[0]?.value
  moveTo(scope, words.length !== 1 || target === '' || /^[-+]/.test(target ?? '-') ? undefined : target)
  return undefined
}

const wait: ProgramReader = (call, scope) => {
  const name = optionValue(readOptions(argsOf(call), { short: 'p' }), '-p')
  if (name) filled(scope, name.value, 'wait -p')
  for (const word of argsOf(call)) if (word.value === undefined && mayBeOption(word)) onlyNumber(scope, word.source)
  return undefined
}

const aliases = 'an alias changes what names mean'

export const builtins: [string, ProgramReader][] = [
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['trap', trap],
  ['set', set],
  ['alias', changes(aliases)],
  ['unalias', changes(aliases)],
  [
    'shopt',
    changes('shopt changes how bash reads commands', (call) =>
      argsOf(call).every(({ value }) => safeShopt.test(value ?? '')),
    ),
  ],
  ['enable', changes('enable changes which builtins there are')],
  [
    'hash',
    changes('hash changes which programs names mean', (call) =>
      call.words.every(({ value }, at) => at === 0 || value === '-r'),
    ),
  ],
  ['bind', changes('bind makes keys run commands')],
  ['complete', changes('complete makes bash run commands')],
  ['compgen', changes('compgen may run commands', (call) => !mayBe(call, /^-[a-zA-Z]*[CFW]/))],
  ['fc', changes('fc runs earlier commands')],
  ['history', changes('history changes earlier commands', (call) => call.words.length === 1)],
  ['jobs', changes('jobs -x runs a command', (call) => !mayBe(call, /^-\w*x/))],
  ...['declare', 'typeset', 'local', 'export', 'readonly'].map((name): [string, ProgramReader] => [name, declare]),
  ['read', fills('adinNptu', ['REPLY'])],
  ['mapfile', fills('dnOsuCc', ['MAPFILE'])],
  ['readarray', fills('dnOsuCc', ['MAPFILE'])],
  ['printf', printf],
  ['getopts', getopts],
  ['unset', unset],
  ['let', letReader],
  ['test', test],
  ['[', test],
  ['wait', wait],
  ['cd', cd],
  ['pushd', cd],
  [
    'popd',
    (_call, scope) => {
      moveTo(scope, undefined)
      return undefined
    },
  ],
]
