import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { release } from 'node:os'
import type { CompiledCode, ContainedLimits, ContainedModule, ContainedProgram } from './containment.ts'
import type { Machine } from './facts.ts'
import { insideNode, isolation, systemView } from './options.ts'
import { systemCallFilter } from './system-calls.ts'

export interface Start {
  argv: string[]
  /** For descriptor 4: all or nothing; it is then kept open until the program has ended. */
  filter: Uint8Array | undefined
  /** Whether the program has a PID namespace of its own. */
  isInside: boolean
}

/** Node itself has some 25, and opens a few more while modules load. */
const openFiles = 64
/** Kilobytes of a file with compiled code; the largest library has some 3 MB. */
const compiledKilobytes = 32 * 1024
/** Twice Node's own threads: V8 and libuv start a handful. */
const threads = 64
/** Where processes of the same user are counted together, others may start while it runs. */
const moreProcesses = 512

/** When the machine runs short of memory, the kernel kills these first. */
const expendable = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"'

/**
 * Limits that a process can't raise again. Arguments: seconds of CPU time, kilobytes of data, processes (0 if there is
 * no such limit), kilobytes of a written file, then the program. A limit that can't be set is lower already; dash calls
 * the one for processes `-p`.
 */
const limits = `ulimit -c 0 && ulimit -f "$4" || exit 125
{ ulimit -n ${openFiles}; ulimit -t "$1"; [ "$2" = 0 ] || ulimit -d "$2"
[ "$3" = 0 ] || ulimit -u "$3" || ulimit -p "$3"; } 2>/dev/null
shift 4; exec "$@"`

/** In bash, for what the bot itself may have inherited; descriptor 3 is the channel. */
const closeOthers = `for open in /proc/self/fd/*; do open=\${open##*/}; (( open > 3 )) && eval "exec $open>&-"; done; `

export function confinedStart({ program: bwrap, system }: Machine, program: ContainedProgram, ownData: number): Start {
  const filter = systemCallFilter(process.arch, { closed: true })
  const compiled = 'module' in program ? program.compiled : undefined
  const view = [
    ...isolation(system),
    ...systemView(system),
    ...program.reads.flatMap((path) => ['--ro-bind', realpathSync(path), path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...(compiled === undefined ? [] : [compiled.adds ? '--bind' : '--ro-bind', compiled.folder, compiled.folder]),
    // Nobody would be charged for the contents of a device or a folder in memory.
    ...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/', '--clearenv', '--chdir', '/'],
    ...(compiled === undefined ? [] : ['--setenv', 'NODE_COMPILE_CACHE', compiled.folder]),
    ...(filter === undefined ? [] : ['--seccomp', '4']),
  ]
  const shell = [
    '/bin/bash',
    '-p',
    '-c',
    closeOthers + limits,
    'bash',
    ...figures(program, ownData, hasOwnCount() ? threads : 0, compiled?.adds ? compiledKilobytes : 0),
  ]
  const argv = [bwrap, ...view, '--', ...shell, ...started(program, insideNode, compiled)]
  return { argv: ['/bin/sh', '-c', expendable, 'sh', ...argv], filter, isInside: true }
}

/**
 * A second process ends the program if descriptor 4 is closed without a word: then the bot is gone, and a busy program
 * doesn't notice that its channel is.
 */
const lifeline = `( exec 2>&- 3>&-; read -r word <&4 || kill -9 $$ ) & exec 4<&-; `

/** Without bubblewrap: the kernel's limits, and Node's own permissions. */
export function plainStart(program: ContainedProgram, ownData: number): Start {
  const processes = process.platform === 'linux' && process.getuid?.() !== 0 ? ownThreads() + moreProcesses : 0
  const shell = ['/bin/sh', '-c', lifeline + limits, 'sh', ...figures(program, ownData, processes, 0)]
  const argv = [...shell, ...started(program, process.execPath)]
  return { argv: ['/bin/sh', '-c', expendable, 'sh', ...argv], filter: undefined, isInside: false }
}

/**
 * Gives a program the channel as its stdin and stdout. It has one processor: threads of several would wait for each
 * other.
 */
const overChannel = 'OMP_THREAD_LIMIT=1 exec "$@" <&3 >&3 3>&-'

/** Libraries ask for it while they load. */
const asIfAtHome = ['/usr/bin/env', 'HOME=/']

const started = (program: ContainedProgram, node: string, compiled?: CompiledCode): string[] =>
  'module' in program
    ? [...(program.addons ? asIfAtHome : []), node, ...nodeOptions(program, compiled), program.module]
    : ['/bin/sh', '-c', overChannel, 'sh', ...program.command]

const nodeOptions = (
  { heapBytes, reads, addons = false }: ContainedLimits & ContainedModule,
  compiled?: CompiledCode,
): string[] => [
  `--max-old-space-size=${Math.ceil(heapBytes / 1024 ** 2)}`,
  // V8 would let young garbage grow to 100 MB, which makes reading no quicker.
  '--max-semi-space-size=8',
  // Out of the 8 MB that a main thread has: deep nesting needs some.
  '--stack-size=3900',
  ...['--permission', ...reads.map((path) => `--allow-fs-read=${path}`), ...(addons ? ['--allow-addons'] : [])],
  // Node only looks there if it may write there; that it can't, the mount sees to.
  ...(compiled === undefined ? [] : [`--allow-fs-read=${compiled.folder}`, `--allow-fs-write=${compiled.folder}`]),
  ...['--disallow-code-generation-from-strings', '--disable-warning=ExperimentalWarning'],
]

function figures(
  { processorSeconds, heapBytes, bufferBytes }: ContainedLimits,
  ownData: number,
  processes: number,
  fileKilobytes: number,
): string[] {
  const data = ownData === 0 ? 0 : ownData + heapBytes + bufferBytes
  return [processorSeconds, Math.ceil(data / 1024), processes, fileKilobytes].map(String)
}

/**
 * What the kernel counts as data of this very process, mostly what every Node reserves for compiled code: with a lower
 * limit none would start. 0 if there is no such limit.
 */
export function dataBytes(): number {
  if (process.platform !== 'linux') return 0
  const kilobytes = /^VmData:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

/** Since Linux 5.14 processes are counted per user namespace, before that per user. */
function hasOwnCount(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 14)
}

function ownThreads(): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, name) => {
      try {
        return statSync(`/proc/${name}`).uid === process.getuid?.()
          ? sum + readdirSync(`/proc/${name}/task`).length
          : sum
      } catch {
        // It has ended meanwhile.
        return sum
      }
    }, 0)
}
