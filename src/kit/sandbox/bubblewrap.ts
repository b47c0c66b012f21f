import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { Duplex } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure, reasonOf } from '../failure.ts'
import { withGivenUmask } from '../umask.ts'
import { asUnavailable, whenDescriptors } from '../unavailable.ts'
import type { Group } from './cgroup.ts'
import type { WatchDisk } from './disk.ts'
import { descriptors, firstInside } from './options.ts'
import { collectOutput } from './output.ts'
import { closeWriters, openPipes, type Pipe } from './pipes.ts'
import type { SandboxResult, SandboxRun } from './port.ts'
import { startOf } from './processes.ts'
import type { Watch } from './watch.ts'

/** A command that is ready to start. */
export interface Ready {
  program: string
  options: string[]
  data: Uint8Array[]
  argv: string[]
  /** Throws if the sandbox isn't what was asked for. Nothing of the command has run by then. */
  check(processId: number): Promise<void>
  watch: Watch
  watchDisk: WatchDisk
  group: Group | undefined
}

const startWithinMs = 20_000

/** Runs one command. Resolves when no process of it is left. */
export async function runInBubblewrap(
  ready: Ready,
  run: Pick<SandboxRun, 'limits' | 'output' | 'signal' | 'talk'>,
): Promise<Omit<SandboxResult, 'refusedHosts'>> {
  const pipes = await openPipes(2)
  const child = start(ready, pipes, run)
  const exited = once(child, 'exit').catch((thrown: unknown) => {
    throw didNotStart('', thrown)
  })
  if (child.pid === undefined) {
    for (const { reader } of pipes) reader.destroy()
    // Nothing of it ran: whoever waits for descriptors may try again.
    await exited.catch(({ cause }) => Promise.reject(cause))
  }
  let by: SandboxResult['by'] = 'itself'
  let hasBegun = false
  const stop = (why: SandboxResult['by']): void => {
    if (by === 'itself') by = why
    // When bubblewrap dies, so does the first process inside, and with it all others.
    child.kill('SIGKILL')
  }
  const output = collectOutput(run.limits.outputBytes, run.output, () => stop('output'))
  if (run.talk !== undefined) talkTo(child, pipes, run.talk)
  const texts = pipes.map(({ reader }, place) => {
    if (run.talk === undefined)
      reader.on('data', (bytes: Buffer) => output.add(place === 0 ? 'stdout' : 'stderr', bytes))
    return finished(reader, { writable: false })
  })
  const begun = begin(child, ready)
  const slow = setTimeout(() => child.kill('SIGKILL'), startWithinMs)
  const abort = (): void => stop('stop')
  run.signal.addEventListener('abort', abort, { once: true })
  if (run.signal.aborted) abort()
  const release = begun.ready.then(({ processId, go }) => {
    clearTimeout(slow)
    const timer = setTimeout(() => stop('timeout'), run.limits.timeoutMs)
    const unwatch = ready.group?.watch(stop) ?? ready.watch(processId, run.limits, stop)
    const unwatchDisk = ready.watchDisk(() => stop('disk'))
    const startedAt = performance.now()
    hasBegun = true
    go()
    return () => {
      clearTimeout(timer)
      unwatch()
      unwatchDisk()
      return performance.now() - startedAt
    }
  })
  // The error is thrown again below, once everything is gone.
  release.catch(() => child.kill('SIGKILL'))
  try {
    const [, signal] = (await exited) as [number | null, NodeJS.Signals | null]
    const end = await release.catch((thrown: unknown) => thrown)
    const durationMs = typeof end === 'function' ? Number(end()) : 0
    await whenDescriptors(() => gone(begun.processId(), begun.startedAs()))
    await Promise.all([...texts, begun.told])
    const { stdout, stderr } = output.end()
    if (by === 'itself' && typeof end !== 'function') {
      throw end instanceof Failure ? end : (asUnavailable(end) ?? didNotStart(stderr, end))
    }
    by = by === 'itself' ? ((await whenDescriptors(async () => ready.group?.exceeded())) ?? by) : by
    return { by, ...ended(by, begun.exitCode(), signal), stdout, stderr, durationMs }
  } catch (thrown) {
    // What is short of descriptors is tried again, but not a command that has begun.
    throw hasBegun && asUnavailable(thrown) !== undefined ? lost(thrown) : thrown
  } finally {
    clearTimeout(slow)
    run.signal.removeEventListener('abort', abort)
  }
}

/** Connects a program that stays: what it reads, what it writes, and the end of its errors. */
function talkTo(child: ChildProcess, [out, errors]: Pipe[], talk: NonNullable<SandboxRun['talk']>): void {
  const { stdin } = child
  if (stdin === null || out === undefined || errors === undefined) throw new Error('there is nothing to talk through')
  // The end of the program is noticed elsewhere.
  stdin.on('error', () => {})
  talk.input.pipe(stdin)
  out.reader.pipe(talk.output)
  errors.reader.on('data', (bytes: Buffer) => talk.errors(bytes.toString()))
}

function start(ready: Ready, pipes: Pipe[], { limits, talk }: Pick<SandboxRun, 'limits' | 'talk'>): ChildProcess {
  const { processes, fileBytes } = limits
  const { options, status, block } = descriptors
  const kilobytes = String(Math.ceil(fileBytes / 1024))
  // Twice as many: this stops bursts between two checks of the watcher, and the watcher reports the limit.
  const bound = String(processes * 2 + 16)
  try {
    return withGivenUmask(() =>
      spawn(
        ready.program,
        [
          ...['--args', String(options), '--json-status-fd', String(status), '--block-fd', String(block)],
          ...['--', '/bin/bash', '-p', '-c', firstInside, 'bash', kilobytes, bound, ...ready.argv],
        ],
        {
          cwd: '/',
          env: {},
          stdio: [
            talk === undefined ? 'ignore' : 'pipe',
            ...pipes.map(({ writer }) => writer),
            ...Array.from({ length: descriptors.firstData - options + ready.data.length }, () => 'pipe' as const),
          ],
        },
      ),
    )
  } catch (thrown) {
    for (const { reader } of pipes) reader.destroy()
    if ((thrown as NodeJS.ErrnoException).code !== 'E2BIG') throw thrown
    throw new Failure('command_too_long', 'The command is too long.', 'Write it to a file and run that.')
  } finally {
    closeWriters(pipes)
  }
}

/** Tells bubblewrap what to do. `ready` resolves when the sandbox is set up and checked. */
function begin(child: ChildProcess, ready: Ready) {
  // All descriptors besides the first three were opened as pipes, which Node makes for both directions.
  const pipe = (descriptor: number): Duplex => child.stdio[descriptor] as Duplex
  // If bubblewrap ends early, the reason is reported elsewhere.
  for (const one of child.stdio.slice(3)) one?.on('error', () => {})
  pipe(descriptors.options).end(ready.options.map((option) => `${option}\0`).join(''))
  ready.data.forEach((bytes, place) => {
    pipe(descriptors.firstData + place).end(bytes)
  })
  let processId: number | undefined
  let startedAs: string | undefined
  let exitCode: number | undefined
  let said = ''
  const failed = new AbortController()
  pipe(descriptors.status).on('data', (bytes: Buffer) => {
    said += bytes.toString('latin1')
    processId ??= numberIn(said, 'child-pid')
    exitCode ??= numberIn(said, 'exit-code')
    if (processId === undefined || startedAs !== undefined) return
    try {
      startedAs = startOf(processId)
      prefer(processId)
      ready.group?.add(processId)
      pipe(descriptors.block).end('x')
    } catch (thrown) {
      failed.abort(thrown)
    }
  })
  const go = pipe(descriptors.go)
  child.once('error', (thrown) => failed.abort(thrown))
  child.once('exit', () => failed.abort(new Error('it ended before the command began')))
  return {
    told: finished(pipe(descriptors.status), { writable: false }).catch(() => undefined),
    processId: () => processId,
    startedAs: () => startedAs,
    exitCode: () => exitCode,
    ready: once(go, 'data', { signal: failed.signal }).then(async () => {
      if (processId === undefined) throw new Error('it did not report its process')
      await ready.check(processId)
      return { processId, go: () => void go.end('go\n') }
    }),
  }
}

/** When memory or CPU is short, the sandbox gives way, not the bot. */
function prefer(processId: number): void {
  attempt(() => writeFileSync(`/proc/${processId}/oom_score_adj`, '1000'))
  attempt(() => setPriority(processId, constants.priority.PRIORITY_BELOW_NORMAL))
}

/** A process that is gone, or a machine that refuses, isn't an error here. */
function attempt(change: () => void): void {
  try {
    change()
  } catch (thrown) {
    if (!['EACCES', 'EPERM', 'ENOENT', 'ESRCH'].includes(codeOf(thrown))) throw thrown
  }
}

const codeOf = (thrown: unknown): string => {
  const { code, info } = thrown as NodeJS.ErrnoException & { info?: { code?: string } }
  return info?.code ?? code ?? ''
}

/** Bubblewrap writes one small document per line; nothing inside can reach this descriptor. */
const numberIn = (text: string, name: string): number | undefined => {
  const found = new RegExp(`"${name}": (\\d+)`).exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

/**
 * Bubblewrap is gone; the first process inside should die with it, and this makes sure. It ends last: the kernel makes
 * it wait for all others of its PID namespace.
 */
async function gone(processId: number | undefined, startedAs: string | undefined): Promise<void> {
  if (processId === undefined || startedAs === undefined) return
  for (let pauseMs = 1; startOf(processId) === startedAs; pauseMs = Math.min(pauseMs * 2, 50)) {
    attempt(() => process.kill(processId, 'SIGKILL'))
    await wait(pauseMs)
  }
}

function ended(
  by: SandboxResult['by'],
  exitCode: number | undefined,
  signal: NodeJS.Signals | null,
): Pick<SandboxResult, 'exitCode' | 'endedBy'> {
  if (by !== 'itself') return { exitCode: undefined, endedBy: 'SIGKILL' }
  if (exitCode === undefined) return { exitCode, endedBy: signal ?? 'SIGKILL' }
  const [name] = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? []
  return name === undefined ? { exitCode, endedBy: undefined } : { exitCode: undefined, endedBy: name }
}

const lost = (cause: unknown): Failure =>
  new Failure(
    'sandbox_failed',
    `The command ran, but how it ended could not be told: ${reasonOf(cause)}.`,
    'Look at what it did before you run it again.',
    { cause },
  )

const didNotStart = (stderr: string, cause: unknown): Failure =>
  new Failure(
    'sandbox_failed',
    `The sandbox did not start: ${stderr.trim().split('\n')[0]?.slice(0, 300) || reasonOf(cause)}.`,
    'Run bobbin doctor: it tries the sandbox and says what is missing.',
    { cause },
  )
