import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { withGivenUmask } from '../../../kit/umask.ts'
import { endMarked, markName } from './marks.ts'
import { endOfText, graceMs, isOverWithin, type ServerProcess } from './process.ts'

export interface Spawn {
  command: string
  args: string[]
  directory: string
  /** The whole environment, besides the mark. */
  environment: Record<string, string>
  mark: string
}

/** Starts a server in a process group of its own, so that whatever it starts ends with it. Throws `mcp_unreachable`. */
export async function spawnServer({ command, args, directory, environment, mark }: Spawn): Promise<ServerProcess> {
  const child = withGivenUmask(() =>
    spawn(command, args, {
      cwd: directory,
      env: { ...environment, [markName]: mark },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    }),
  )
  try {
    // Before anything else: without a free descriptor, it has no streams.
    await once(child, 'spawn')
  } catch (thrown) {
    throw new Failure('mcp_unreachable', `${command} cannot be started: ${reasonOf(thrown)}`, '', { cause: thrown })
  }
  const { stdin: input, stdout: output, stderr } = child as { stdin: Writable; stdout: Readable; stderr: Readable }
  const said = endOfText()
  stderr.setEncoding('utf8').on('data', said.add)
  const saidAll = once(stderr, 'end').catch(() => {})
  // Whoever writes notices the end elsewhere.
  input.on('error', () => {})
  const exited = untilEnded(child)
  const ended = exited.then(async (why) => {
    killGroup(child, 'SIGKILL')
    await endMarked(mark)
    // On a busy machine, what it wrote last may not have been read yet.
    await isOverWithin(saidAll, graceMs.told)
    output.destroy()
    stderr.destroy()
    return why
  })
  return {
    input,
    output,
    exited,
    ended,
    said: said.text,
    async stop() {
      input.end()
      if (await isOverWithin(ended, graceMs.closed)) return
      killGroup(child, 'SIGTERM')
      if (await isOverWithin(ended, graceMs.told)) return
      killGroup(child, 'SIGKILL')
      await ended
    },
  }
}

async function untilEnded(child: ChildProcess): Promise<string> {
  // Not `close`, which waits for everybody who has inherited its output.
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode === null ? `it ended with code ${child.exitCode}` : `it was ended by ${child.signalCode}`
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (thrown) {
    if (!['ESRCH', 'EPERM'].includes((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
  }
}
