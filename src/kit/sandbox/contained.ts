import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { Failure } from '../failure.ts'
import { confinedStart, dataBytes, plainStart, type Start } from './contained-start.ts'
import type { ContainedEnd, ContainedProcess, Containment, ContainmentFacts } from './containment.ts'
import { lookAround, systemPlaces } from './facts.ts'
import { allProcesses, descendants, residentBytesOf } from './processes.ts'

export interface ContainmentOptions {
  /** Name or path of bubblewrap; false never uses it. */
  bwrap?: string | false
  programFolders?: string[]
  /** Told when the first program starts without bubblewrap, although it is wanted. */
  report?: (why: Failure) => void
}

/**
 * Starts programs that process what strangers made: in bubblewrap, or without it as plain processes with the limits
 * that the kernel offers everybody. Once bubblewrap has worked it is always used; until then, each start tries it.
 */
export function openContainment(options: ContainmentOptions = {}): Containment {
  const { bwrap = 'bwrap', programFolders = [], report = () => {} } = options
  const ownData = dataBytes()
  const machine = async () =>
    bwrap === false ? unwanted : lookAround(bwrap, systemPlaces, programFolders).catch(refused)
  let isReported = bwrap === false
  return {
    async start(program) {
      const there = await machine()
      if (there instanceof Failure && !isReported) {
        isReported = true
        report(there)
      }
      return run(there instanceof Failure ? plainStart(program, ownData) : confinedStart(there, program, ownData))
    },
    async facts(): Promise<ContainmentFacts> {
      const there = await machine()
      if (!(there instanceof Failure)) return { kind: 'bubblewrap' }
      return { kind: 'process', why: { message: there.message, remedy: there.remedy } }
    },
  }
}

const unwanted = new Failure('no_sandbox', 'Bubblewrap is not used here.', 'Allow it.')

function refused(thrown: unknown): Failure {
  if (thrown instanceof Failure && thrown.code === 'no_sandbox') return thrown
  throw thrown
}

/** The end of its stderr is kept: that is where the reason is. */
const stderrCharacters = 4_000

async function run({ argv, filter, isInside }: Start): Promise<ContainedProcess> {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  // Before anything else: without a free descriptor, it has no streams.
  await once(child, 'spawn')
  // Descriptors besides the first three were opened as pipes, which Node makes for both directions.
  const [channel, other] = child.stdio.slice(3) as [Duplex, Duplex]
  // Readers notice the end; a failed write to a program that has ended isn't our error.
  for (const one of [channel, other]) one.on('error', () => {})
  if (filter !== undefined) other.end(filter)
  child.once('exit', () => other.end('over\n'))
  return {
    output: channel,
    send: (bytes) => void channel.write(bytes),
    finish: () => void channel.end(),
    ended: ended(child),
    kill() {
      child.kill('SIGKILL')
      channel.destroy()
    },
    residentBytes: memoryOf(child, isInside),
  }
}

/** Bubblewrap has a process outside and one inside, and below them the program. */
function memoryOf({ pid }: ChildProcess, isInside: boolean): () => Promise<number> {
  let program = isInside ? undefined : pid
  return async () => {
    if (program === undefined && pid !== undefined) program = descendants(pid, allProcesses())[1]?.id
    return program === undefined ? 0 : residentBytesOf(program)
  }
}

async function ended(child: ChildProcess): Promise<ContainedEnd> {
  let stderr = ''
  child.stderr?.setEncoding('latin1').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrCharacters)
  })
  const failed = once(child, 'error').then(([thrown]) => {
    stderr = String(thrown)
  })
  // By then the last process that has it is gone, even if that isn't the one that was started.
  const closed = child.stderr === null ? [] : [once(child.stderr, 'close')]
  await Promise.race([failed, Promise.all([once(child, 'exit'), ...closed])])
  return { ...outcomeOf(child.exitCode, child.signalCode), stderr }
}

/** Like a shell, bubblewrap exits with 128 plus the number of the signal that ended the program. */
function outcomeOf(exitCode: number | null, signal: string | null): Omit<ContainedEnd, 'stderr'> {
  if (exitCode === null) return { exitCode: undefined, signal: signal ?? undefined }
  const [name] = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? []
  return name === undefined ? { exitCode, signal: undefined } : { exitCode: undefined, signal: name }
}
