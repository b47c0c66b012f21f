import type { ProgramReader } from './scope.ts'
import { env } from './wrapping/env.ts'
import { find, xargs } from './wrapping/per-file.ts'
import { commandOption, joins, su } from './wrapping/text.ts'
import { type Wrapper, wrap } from './wrapping/wrap.ts'

const busybox: ProgramReader = (call, scope) => {
  const [applet] = call.words.slice(1)
  if (!applet || applet.value?.startsWith('-')) return undefined
  scope.call({ words: call.words.slice(1), assigns: call.assigns, input: call.input })
  return 'replaced'
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

const plain = (names: string, rules: Wrapper): [string, ProgramReader][] =>
  names.split(' ').map((name) => [name, wrap(rules)])

/** Programs that run another program, given as arguments. */
export const wrappers: [string, ProgramReader][] = [
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
