import { has, type OptionRules, optionValue, readOptions } from './options.ts'
import { type Call, joined, type ProgramReader, runsFile, type Scope, subshell, unclear } from './scope.ts'
import { shellText } from './shell-text.ts'
import type { ShellWord } from './shell-word.ts'

// Programs that run what a file of the workspace says.

const inside = (scope: Scope, directory: ShellWord | undefined): Scope => {
  if (!directory) return scope
  const { value } = directory
  return {
    ...subshell(scope),
    directories: value === undefined ? undefined : scope.directories?.map((from) => joined(from, value, scope)),
  }
}

/** Reads a file of this name, or the one that an option gives. */
const reads =
  (file: string, rules: OptionRules, fileOptions: string[], directoryOptions: string[]): ProgramReader =>
  (call, scope, program) => {
    const read = readOptions(call.words.slice(1), { ...rules, mixed: true })
    if (has(read, '--version', '--help')) return undefined
    const where = inside(scope, optionValue(read, ...directoryOptions))
    const named = optionValue(read, ...fileOptions)
    if (!named) runsFile(where, file, program)
    else if (named.value === '-' || named.value === '/dev/stdin')
      unclear(scope, `what ${program} reads from its input cannot be seen`)
    else runsFile(where, named.value, program)
    return undefined
  }

const makeFile = reads(
  'Makefile',
  {
    short: 'CfIjloWE',
    long: ['--directory', '--file', '--makefile', '--include-dir', '--jobs', '--eval', '--old-file', '--what-if'],
  },
  ['-f', '--file', '--makefile'],
  ['-C', '--directory'],
)

const make: ProgramReader = (call, scope, program, code) => {
  const words = call.words.slice(1)
  for (const { value } of words) {
    const [, name, text] = /^(\w+)[:+?!]*=(.*)$/s.exec(value ?? '') ?? []
    if (name && (/^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|CC|CXX|LD|AR)$/.test(name) || /[$`;|&<>]/.test(text ?? ''))) {
      unclear(scope, `${name}= makes ${program} run other programs`)
    }
    if (/^(?:-E|--eval)/.test(value ?? '')) unclear(scope, `--eval gives ${program} rules that are not followed`)
  }
  // `-j 4` and `-j` are both valid, so a number after it isn't a value that matters.
  const plain = call.words.filter(({ value }) => !/^-j\d*$/.test(value ?? ''))
  return makeFile({ ...call, words: plain }, scope, program, code)
}

const scripts = new Set(
  'run run-script test t tst start stop restart rum urn ci clean-install install i add in ins isntall it install-test cit publish pack rebuild rb prune version update up upgrade link ln uninstall remove rm dedupe audit workspace workspaces dlx create init'.split(
    ' ',
  ),
)
const executes = new Set(['exec', 'x', 'dlx'])
const asks = new Set(
  'ls list ll la view info show search outdated config get set help doctor ping whoami root prefix bin why explain fund docs repo bugs query pkg cache login logout owner team token star unstar access dist-tag deprecate diff completion licenses --version -v -h --help'.split(
    ' ',
  ),
)

const npm: ProgramReader = (call, scope, program) => {
  const rules = {
    short: 'Cwpc',
    long: [
      '--prefix',
      '--dir',
      '--cwd',
      '--workspace',
      '--filter',
      '--registry',
      '--package',
      '--call',
      '--loglevel',
      '--userconfig',
      '--cache',
      '--tag',
    ],
  }
  const words = call.words.slice(1)
  const read = readOptions(words, rules)
  const [command] = read.operands
  if (
    has(
      readOptions(words, { ...rules, mixed: true }),
      '--script-shell',
      '--shell',
      '--node-options',
      '--userconfig',
      '--globalconfig',
      '--git',
    )
  ) {
    unclear(scope, `an option of ${program} makes it run other programs`)
  }
  if (!command) {
    if (program === 'yarn' && read.options.length === 0) runsFile(scope, 'package.json', program)
    return undefined
  }
  if (command.value === undefined) unclear(scope, `what ${program} does is computed`)
  const name = command.value ?? ''
  const where = inside(
    scope,
    optionValue(readOptions(words, { ...rules, mixed: true }), '--prefix', '-C', '--dir', '--cwd'),
  )
  if (executes.has(name)) return npx({ ...call, words: [command, ...read.operands.slice(1)] }, where, program, [])
  const sets = name === 'config' && !/^(?:get|list|ls)$/.test(read.operands[1]?.value ?? '')
  if (sets || ['set', 'explore', 'edit'].includes(name)) {
    unclear(scope, `${program} ${name} changes or runs other programs`)
  }
  if (scripts.has(name) || (program !== 'npm' && !asks.has(name))) runsFile(where, 'package.json', program)
  return undefined
}

const npx: ProgramReader = (call, scope, program) => {
  const read = readOptions(call.words.slice(1), {
    short: 'pcw',
    long: ['--package', '--call', '--workspace', '--registry', '--cache'],
  })
  const text = optionValue(read, '-c', '--call')
  if (text) shellText([text], call, scope, program)
  else if (read.operands.length > 0) {
    const [first, ...rest] = read.operands
    const name = first?.value?.replace(/^(@?[^@]+)@.*$/, '$1')
    const inner =
      first && name !== undefined
        ? [{ ...first, value: name.slice(name.lastIndexOf('/') + 1) }, ...rest]
        : read.operands
    scope.call({ words: inner, assigns: [], input: call.input })
  }
  return undefined
}

/** Runs the first operand after one of these words. */
const subcommand =
  (names: string[], rules: OptionRules): ProgramReader =>
  (call, scope, program) => {
    const [command, ...rest] = call.words.slice(1)
    if (command?.several && command.value === undefined) unclear(scope, `what ${program} does is computed`)
    if (!names.includes(command?.value ?? '')) return undefined
    const [file] = readOptions(rest, rules).operands
    if (file) runsFile(scope, file.value, program)
    return undefined
  }

/** `uv run x`, `poetry run x`: a program, or a script if it ends like one. */
const runner: ProgramReader = (call, scope, program) => {
  const [command, ...rest] = call.words.slice(1)
  if (command && command.value === undefined) unclear(scope, `what ${program} does is computed`)
  if (!['run', 'exec'].includes(command?.value ?? '')) return undefined
  const { operands } = readOptions(rest, {
    short: 'pm',
    long: ['--with', '--python', '--extra', '--group', '--project', '--directory', '--env-file', '--module'],
  })
  const [first] = operands
  if (first?.value?.endsWith('.py')) runsFile(scope, first.value, program)
  else if (operands.length > 0) scope.call({ words: operands, assigns: [], input: call.input })
  return undefined
}

const linted = (call: Call): boolean => call.words.some(({ value }) => value === '--version' || value === '--help')

const fixed =
  (file: string): ProgramReader =>
  (call, scope, program) => {
    if (!linted(call)) runsFile(scope, file, program)
    return undefined
  }

export const files: [string, ProgramReader][] = [
  ['make', make],
  ['gmake', make],
  ['ninja', reads('build.ninja', { short: 'Cfjkltwd' }, ['-f'], ['-C'])],
  ['rake', reads('Rakefile', { short: 'fCINrRT', long: ['--rakefile'] }, ['-f', '--rakefile'], ['-C'])],
  [
    'just',
    reads('justfile', { short: 'fd', long: ['--justfile', '--working-directory'] }, ['-f', '--justfile'], ['-d']),
  ],
  ['ant', reads('build.xml', { short: 'f' }, ['-f'], [])],
  ['gradlew', fixed('build.gradle')],
  ['gradle', fixed('build.gradle')],
  ['mvn', fixed('pom.xml')],
  ...['npm', 'pnpm', 'yarn'].map((name): [string, ProgramReader] => [name, npm]),
  ...['npx', 'pnpx', 'bunx'].map((name): [string, ProgramReader] => [name, npx]),
  ['go', subcommand(['run', 'generate'], { short: 'pC' })],
  ...['uv', 'poetry', 'pipenv', 'bundle', 'hatch', 'pdm'].map((name): [string, ProgramReader] => [name, runner]),
]
