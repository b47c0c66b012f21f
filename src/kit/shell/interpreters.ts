import { awkMayRun } from './awk.ts'
import { fromInput } from './input.ts'
import { type Option, type OptionRules, type Options, readOptions } from './options.ts'
import { type ProgramReader, runsFile, type Scope, unclear } from './scope.ts'
import { shellText } from './shell-text.ts'
import type { ShellWord } from './shell-word.ts'

interface Language extends OptionRules {
  language: string
  /** Options whose value is a program text. */
  text: string[]
  /** Options whose value is a file that runs, or a module. */
  loads?: string[]
  module?: string[]
  /** With these it only prints information about itself. */
  asks?: string[]
  /** The first operand is a word such as `run`, not a script. */
  words?: string[]
}

type Code = Parameters<ProgramReader>[3]

const knownModules =
  /^(?:pip|venv|pytest|unittest|json\.tool|http\.server|doctest|timeit|compileall|black|ruff|mypy|flake8|isort|pylint|build|coverage|tox|ensurepip|pdb|cProfile|zipfile|tarfile|site|py_compile|this|virtualenv|pre_commit|uvicorn|flask|django)$/

const written = ({ language }: Language, text: string | undefined, { directories }: Scope): Code[number] => ({
  language,
  text,
  ...(language === 'javascript' && directories && { from: directories }),
})

function applyOption({ name, value }: Option, rules: Language, scope: Scope, program: string, code: Code): boolean {
  if (rules.text.includes(name)) {
    if (value?.value === undefined) unclear(scope, `the text that ${program} ${name} runs is computed`)
    code.push(written(rules, value?.value, scope))
    return true
  }
  if (rules.loads?.includes(name) && value) runsFile(scope, value.value, program)
  if (!rules.module?.includes(name)) return false
  if (value?.value === undefined) unclear(scope, `the module that ${program} runs is computed`)
  else if (!knownModules.test(value.value)) runsFile(scope, `${value.value.replaceAll('.', '/')}.py`, program)
  return true
}

// Node reads `-pe` as one option, others as a bundle.
const combined = ({ language }: Language): string => (language === 'javascript' ? '--print' : '-pe')

const interpreter =
  (rules: Language): ProgramReader =>
  (call, scope, program, code) => {
    const words = call.words.slice(1).map((word) => (word.value === '-pe' ? { ...word, value: combined(rules) } : word))
    const read = readOptions(words, { ...rules, whole: true })
    if (read.computed) unclear(scope, `the script that ${program} runs is computed`)
    let given = false
    for (const option of read.options) given = applyOption(option, rules, scope, program, code) || given
    if (given || read.options.some(({ name }) => rules.asks?.includes(name))) return undefined
    const operands = rules.words?.includes(read.operands[0]?.value ?? '') ? read.operands.slice(1) : read.operands
    if (read.options.some(({ name }) => name === '--test' || name === '--run'))
      return ownRunner(read, operands, scope, program)
    const [script] = operands
    if (script && script.value !== '-') {
      if (script.value === undefined) unclear(scope, `the script that ${program} runs is computed`)
      else runsFile(scope, script.value, program)
      return undefined
    }
    fromInput(call, scope, program, (text) => code.push(written(rules, text, scope)))
    return undefined
  }

/** `node --test` runs every file that it is given, `node --run` a script of the package. */
function ownRunner({ options }: Options, files: ShellWord[], scope: Scope, program: string): undefined {
  if (options.some(({ name }) => name === '--run')) runsFile(scope, 'package.json', program)
  else for (const { value } of files) runsFile(scope, value, program)
}

const shell: ProgramReader = (call, scope, program, code) => {
  const words = call.words
    .slice(1)
    .map((word) => (word.value?.startsWith('+') ? { ...word, value: `-${word.value.slice(1)}` } : word))
  const read = readOptions(words, { whole: true, short: 'oO', long: ['--rcfile', '--init-file'] })
  const options = read.options.map(({ name }) => name)
  if (options.some((name) => ['--version', '--help'].includes(name))) return undefined
  const risky = read.options.find(({ name }) =>
    /^(?:--rcfile|--init-file|-a|-i|-O|--posix|-l|--login|--debugger)$/.test(name),
  )
  if (risky && risky.name !== '-l' && risky.name !== '--login')
    unclear(scope, `${risky.name} changes what ${program} runs`)
  if (
    read.options.some(
      ({ name, value }) => name === '-o' && !/^(?:pipefail|errexit|nounset|xtrace|verbose)$/.test(value?.value ?? ''),
    )
  ) {
    unclear(scope, `an option of ${program} changes how it reads commands`)
  }
  if (read.computed) unclear(scope, `the script that ${program} runs is computed`)
  if (/^(?:fish|zsh|csh|tcsh)$/.test(program) && options.length > 0)
    unclear(scope, `${program} is another language than bash`)
  const [script, ...rest] = read.operands.slice(read.operands[0]?.value === '-' ? 1 : 0)
  if (options.includes('-c')) {
    if (!script) unclear(scope, `${program} -c has no text`)
    else if (read.operands.length > 0) shellText([script], call, scope, `${program} -c`)
    if (rest.length > 50) unclear(scope, `${program} -c has too many arguments`)
    return undefined
  }
  if (script && !options.includes('-s')) {
    if (script.value === undefined) unclear(scope, `the script that ${program} runs is computed`)
    else runsFile(scope, script.value, program)
    return undefined
  }
  if (/^(?:fish|zsh|csh|tcsh|ksh)$/.test(program))
    fromInput(call, scope, program, (text) => code.push({ language: program, text }))
  else
    fromInput(call, scope, program, (text) =>
      shellText([{ value: text, source: '', several: false }], { ...call, input: { kind: 'unseen' } }, scope, program),
    )
  return undefined
}

const awk: ProgramReader = (call, scope, program, code) => {
  const words = call.words.slice(1)
  const read = readOptions(words, {
    short: 'FvfeiElW',
    glued: 'dDLop',
    long: ['--file', '--source', '--include', '--exec', '--load', '--assign', '--field-separator'],
  })
  const texts = read.options.filter(({ name }) => ['-e', '--source'].includes(name)).map(({ value }) => value)
  const filed = read.options.filter(({ name }) => ['-f', '--file', '-E', '--exec'].includes(name))
  for (const { value } of filed) {
    if (value?.value === '-') fromInput(call, scope, program, (text) => awkText(text, scope, program, code))
    else runsFile(scope, value?.value, program)
  }
  const loading = read.options.find(({ name }) => /^(?:-[ilDW]|--(?:i|lo|de)\w*)$/.test(name))
  if (loading) unclear(scope, `${loading.name} makes ${program} load code that it looks for by itself`)
  if (texts.length === 0 && filed.length === 0 && read.operands[0]) texts.push(read.operands[0])
  for (const text of texts) awkText(text?.value, scope, program, code)
  return undefined
}

function awkText(text: string | undefined, scope: Scope, program: string, code: Code) {
  code.push({ language: 'awk', text })
  if (text === undefined) return unclear(scope, `the text that ${program} runs is computed`)
  if (awkMayRun(text)) {
    unclear(scope, `the text of ${program} runs programs or reads other files`)
  }
}

const python: Language = {
  language: 'python',
  short: 'cmWXQ',
  long: ['--check-hash-based-pycs'],
  text: ['-c'],
  module: ['-m'],
  asks: ['-V', '--version', '-h', '--help'],
}
const node: Language = {
  language: 'javascript',
  short: 'eprCr',
  long: [
    '--eval',
    '--print',
    '--require',
    '--import',
    '--loader',
    '--experimental-loader',
    '--env-file',
    '--conditions',
    '--input-type',
    '--test-name-pattern',
    '--test-reporter',
  ],
  text: ['-e', '-p', '--eval', '--print', '-pe'],
  loads: ['-r', '--require', '--import', '--loader', '--experimental-loader'],
  asks: ['-v', '--version', '-h', '--help', '--watch-path'],
}
const perl: Language = {
  language: 'perl',
  short: 'eEIMm',
  glued: 'iFCDxVd0l',
  text: ['-e', '-E'],
  loads: [],
  asks: ['-v', '-V', '-h'],
}

export const interpreters: [string, ProgramReader][] = [
  ...['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'rbash', 'zsh', 'fish', 'csh', 'tcsh'].map(
    (name): [string, ProgramReader] => [name, shell],
  ),
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map((name): [string, ProgramReader] => [name, awk]),
  ...['python', 'pypy'].map((name): [string, ProgramReader] => [name, interpreter(python)]),
  ...['node', 'nodejs'].map((name): [string, ProgramReader] => [name, interpreter(node)]),
  ['bun', interpreter({ ...node, words: ['run'], asks: [...(node.asks ?? []), 'install', 'test'] })],
  ['deno', interpreter({ ...node, text: [], words: ['run', 'eval'] })],
  ...['tsx', 'ts-node'].map((name): [string, ProgramReader] => [name, interpreter(node)]),
  ['perl', interpreter(perl)],
  [
    'ruby',
    interpreter({
      language: 'ruby',
      short: 'eICrE',
      glued: 'iFxKW0T',
      text: ['-e'],
      loads: ['-r'],
      asks: ['-v', '--version', '-h'],
    }),
  ],
  [
    'php',
    interpreter({
      language: 'php',
      short: 'rfBREFdczStF',
      text: ['-r', '-B', '-R', '-E'],
      loads: ['-f', '-F'],
      asks: ['-v', '--version', '-i', '-m', '-h', '-l'],
    }),
  ],
  ['lua', interpreter({ language: 'lua', short: 'el', text: ['-e'], asks: ['-v'] })],
  ['luajit', interpreter({ language: 'lua', short: 'el', text: ['-e'], asks: ['-v'] })],
  ...['tclsh', 'wish', 'expect'].map((name): [string, ProgramReader] => [
    name,
    interpreter({ language: 'tcl', short: 'cf', text: ['-c'], loads: ['-f'] }),
  ]),
  ...['Rscript', 'R'].map((name): [string, ProgramReader] => [
    name,
    interpreter({ language: 'r', short: 'ef', text: ['-e'], loads: ['-f', '--file'], asks: ['--version'] }),
  ]),
  ['osascript', interpreter({ language: 'applescript', short: 'el', text: ['-e'] })],
  [
    'julia',
    interpreter({ language: 'julia', short: 'eEpL', text: ['-e', '-E'], loads: ['-L'], asks: ['-v', '--version'] }),
  ],
  ['jshell', interpreter({ language: 'java', text: [] })],
]
