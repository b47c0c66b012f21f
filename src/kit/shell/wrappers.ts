import { has, type OptionRules, optionValue, readOptions } from './options.ts'
import { type Call, joined, type Reader, type Scope, subshell, unclear } from './scope.ts'
import { filledIn, literal, mayBeOption, type ShellWord } from './shell-word.ts'

interface Wrapper extends OptionRules {
  /** Words between the options and the command, such as the time of `timeout`. */
  before?: number
  /** It is an act of its own, so it is reported beside the command. */
  reported?: boolean
  /** Variables may be set before the command. */
  assigns?: boolean
  /** With these it runs nothing. */
  asks?: string[]
}

const wrap =
  (rules: Wrapper): Reader =>
  (call, scope, program) => {
    const read = readOptions(call.words.slice(1), rules)
    if (has(read, ...(rules.asks ?? []))) return undefined
    if (read.computed) unclear(scope, `the program that ${program} runs is computed`)
    if (program === 'sudo' && has(read, '-i', '-s', '-e', '--shell', '--login', '--edit')) {
      unclear(scope, 'what runs in the shell of sudo cannot be seen')
    }
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
    // Only these run in the shell itself, so that `cd` behind them counts.
    const inside = /^(?:command|builtin)$/.test(program) ? scope : subshell(scope)
    inside.call({ words: inner, assigns, input: call.input })
    return rules.reported ? undefined : 'replaced'
  }

const env: Reader = (call, scope) => {
  const words = [...call.words.slice(1)]
  const assigns = [...call.assigns]
  const inside = subshell(scope)
  for (let rounds = 0; rounds < 20; rounds++) {
    const read = readOptions(words, { short: 'auCS', long: ['--argv0', '--unset', '--chdir', '--split-string'] })
    for (const { name, value } of read.options) {
      if (name === '-C' || name === '--chdir') {
        const to = value?.value
        inside.directories = to === undefined ? undefined : inside.directories?.map((from) => joined(from, to))
      }
      if ((name === '-u' || name === '--unset') && value?.value === undefined)
        unclear(scope, 'an option of env is computed')
    }
    const split = optionValue(read, '-S', '--split-string')
    if (split) {
      if (split.value === undefined || !/^[\w ./:,+@%=-]*$/.test(split.value)) {
        unclear(scope, 'what env splits into words is not followed')
        return undefined
      }
      words.splice(0, words.length, ...split.value.split(' ').filter(Boolean).map(literal), ...read.operands)
      continue
    }
    if (read.computed) unclear(scope, 'the program that env runs is computed')
    words.splice(0, words.length, ...read.operands.slice(read.operands[0]?.value === '-' ? 1 : 0))
    break
  }
  for (;;) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(words[0]?.value ?? '') ?? []
    if (name === undefined || value === undefined) break
    assigns.push({ name, value: literal(value) })
    words.shift()
  }
  if (words.length === 0) return undefined
  inside.call({ words, assigns, input: call.input })
  return 'replaced'
}

const xargs: Reader = (call, scope) => {
  const read = readOptions(call.words.slice(1), {
    short: 'adEILnPs',
    glued: 'ile',
    long: ['--arg-file', '--delimiter', '--max-args', '--max-procs', '--max-chars', '--process-slot-var'],
  })
  if (read.computed) unclear(scope, 'the program that xargs runs is computed')
  const replace = optionValue(read, '-I', '-i', '--replace')?.value ?? (has(read, '-i', '--replace') ? '{}' : undefined)
  if (has(read, '-I') && optionValue(read, '-I')?.value === undefined) unclear(scope, 'what xargs replaces is computed')
  for (const word of call.words.slice(1)) if (word.value?.startsWith('/')) scope.findings.plan.paths.push(word.value)
  if (read.operands.length === 0) return undefined
  const inner = inserted(read.operands, replace)
  if (replace === undefined) inner.push(filledIn)
  scope.call({ words: inner, assigns: call.assigns, input: { kind: 'nothing' } })
  return 'replaced'
}

/** The words with a placeholder in them are not known any more. */
const inserted = (words: ShellWord[], placeholder: string | undefined): ShellWord[] =>
  words.map((word) => (placeholder && word.value?.includes(placeholder) ? filledIn : word))

// A file name such as `--checkpoint-action=exec=sh x` among `*` is an option to them.
export const optionsByName: Reader = (call, scope, program) => {
  const words = call.words.slice(1)
  const end = words.findIndex(({ value }) => value === '--')
  const open = end < 0 ? words : words.slice(0, end)
  const word = open.find((word) => word.value === undefined && mayBeOption(word))
  if (word)
    unclear(
      scope,
      `${word.source.slice(0, 40)} may become an option of ${program} that runs a program; write ./ or -- before it`,
    )
  return undefined
}

const find: Reader = (call, scope, program, code) => {
  const words = call.words.slice(1)
  const outside = words.findIndex(({ value }) => value?.startsWith('-exec') || value?.startsWith('-ok'))
  const own = words.filter((word, at) => outside < 0 || at < outside || word.several)
  optionsByName({ ...call, words: [literal(program), ...own] }, scope, program, code)
  const starts = new Set(['-exec', '-execdir', '-ok', '-okdir'])
  for (const [at, { value }] of words.entries()) {
    if (!starts.has(value ?? '')) continue
    const rest = words.slice(at + 1)
    const end = rest.findIndex(
      (word, place) => word.value === ';' || (word.value === '+' && rest[place - 1]?.value === '{}'),
    )
    if (end < 0) unclear(scope, `what ${value} of find runs has no end`)
    const inside = subshell(scope)
    if (value?.includes('dir')) inside.directories = undefined
    if (end > 0) inside.call({ words: inserted(rest.slice(0, end), '{}'), assigns: [], input: { kind: 'unseen' } })
  }
  return undefined
}

const busybox: Reader = (call, scope) => {
  const [applet] = call.words.slice(1)
  if (!applet || applet.value?.startsWith('-')) return undefined
  scope.call({ words: call.words.slice(1), assigns: call.assigns, input: call.input })
  return 'replaced'
}

/** Programs whose operands are joined and given to a shell. */
const joins =
  (rules: OptionRules, skip: number, where: string): Reader =>
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

/** Words that a program joins with spaces and runs as a script. */
export function shellText(words: ShellWord[], call: Call, scope: Scope, program: string) {
  if (words.some(({ value }) => value === undefined)) return unclear(scope, `the text that ${program} runs is computed`)
  const inside = { ...subshell(scope), posix: !/^(?:r?bash)/.test(program) }
  inside.script(words.map(({ value }) => value).join(' '), call.input)
}

/** The option that holds a script; without it the rest of the words is the command. */
const commandOption =
  (letters: string[], rules: OptionRules, before: number): Reader =>
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

const su: Reader = (call, scope, program, code) => {
  const words = call.words.map((word, at) => (at > 0 && word.value === '-' ? literal('-l') : word))
  const rules = { short: 'cgGsw', long: ['--command', '--group', '--shell', '--session-command'], mixed: true }
  if (has(readOptions(words.slice(1), rules), '-s', '--shell')) unclear(scope, 'su runs another shell')
  const reader = commandOption(['-c', '--command', '--session-command'], rules, Number.MAX_SAFE_INTEGER)
  return reader({ ...call, words }, scope, program, code)
}

const sudo = wrap({
  short: 'CDghpRrTtUu',
  long: [
    '--user',
    '--group',
    '--chdir',
    '--host',
    '--prompt',
    '--chroot',
    '--role',
    '--type',
    '--close-from',
    '--other-user',
    '--command-timeout',
  ],
  assigns: true,
  reported: true,
  asks: ['-l', '-v', '-V', '-K', '--list', '--validate'],
})

const plain = (names: string, rules: Wrapper): [string, Reader][] => names.split(' ').map((name) => [name, wrap(rules)])

export const wrappers: [string, Reader][] = [
  ['env', env],
  ['xargs', xargs],
  ['find', find],
  ['busybox', busybox],
  ['toybox', busybox],
  ['sudo', sudo],
  ['su', su],
  ...plain('command', { asks: ['-v', '-V'] }),
  ...plain('builtin nohup', {}),
  ...plain('exec', { short: 'a' }),
  ...plain('nice', { short: 'n', long: ['--adjustment'] }),
  ...plain('timeout', { short: 'ks', long: ['--kill-after', '--signal'], before: 1 }),
  ...plain('time', { short: 'fo', long: ['--format', '--output'] }),
  ...plain('stdbuf', { short: 'ioe', long: ['--input', '--output', '--error'] }),
  ...plain('setsid', {}),
  ...plain('ionice', { short: 'cnpPu', long: ['--class', '--classdata', '--pid'] }),
  ...plain('chrt taskset', { short: 'TPD', before: 1 }),
  ...plain('doas', { short: 'aCu', reported: true }),
  ...plain('pkexec', { long: ['--user'], reported: true }),
  ...plain('chroot', { before: 1, long: ['--userspec', '--groups'], reported: true }),
  ...plain('unshare', {
    short: 'SGRw',
    long: [
      '--setuid',
      '--setgid',
      '--root',
      '--wd',
      '--propagation',
      '--map-user',
      '--map-group',
      '--map-users',
      '--map-groups',
      '--monotonic',
      '--boottime',
    ],
    reported: true,
  }),
  ...plain('nsenter', {
    short: 'tSGW',
    glued: 'muinpCUTrw',
    long: ['--target', '--setuid', '--setgid', '--wdns'],
    reported: true,
  }),
  ['watch', joins({ short: 'n', long: ['--interval'] }, 0, '')],
  ['ssh', joins({ short: 'BbcDEeFIiJLlmOopQRSWw' }, 1, 'on the other machine')],
  [
    'parallel',
    joins(
      { short: 'jaIdCSNnLPsX', long: ['--jobs', '--arg-file', '--colsep', '--joblog', '--delay', '--timeout'] },
      0,
      'in parallel',
    ),
  ],
  [
    'flock',
    commandOption(
      ['-c', '--command'],
      { short: 'wEc', long: ['--timeout', '--wait', '--conflict-exit-code', '--command'] },
      1,
    ),
  ],
  [
    'script',
    commandOption(
      ['-c', '--command'],
      { short: 'cEIOBTmo', long: ['--command', '--log-out', '--log-in', '--log-io', '--log-timing'], mixed: true },
      Number.MAX_SAFE_INTEGER,
    ),
  ],
  ['runuser', su],
]
