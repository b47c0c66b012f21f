import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../failure.ts'
import { removeTree } from '../files/remove-tree.ts'
import { withGivenUmask } from '../umask.ts'
import { whenDescriptors } from '../unavailable.ts'
import { collectOutput } from './output.ts'
import type { Sandbox, SandboxFacts, SandboxResult, SandboxRun } from './port.ts'

/** Its last output has this long to be read once all of its group has ended. */
const pipesMs = 1_000

const facts: SandboxFacts = {
  kind: 'none',
  version: '',
  memory: 'nothing',
  processes: 'nothing',
  programs: { bash: '/bin/bash', node: process.execPath, python: 'python3' },
  gaps: ['commands run as the bot itself: they see and change what it can, and reach every network'],
}

/**
 * For operators who want commands without a sandbox (`sandbox.required: false`): the real one if the machine has it,
 * otherwise a plain process that is limited only in time and output. A person is then asked about every call, and
 * approves it once only.
 */
export function openUnconfined(confined: Sandbox): Sandbox {
  const isConfined = () =>
    confined.facts().then(
      () => true,
      (thrown: { code?: string }) => {
        // Whatever else fails, the machine may have one.
        if (thrown.code !== 'no_sandbox') throw thrown
        return false
      },
    )
  return {
    facts: async () => ((await isConfined()) ? confined.facts() : facts),
    run: async (run) => ((await isConfined()) ? confined.run(run) : runPlainly(run)),
  }
}

async function runPlainly(run: SandboxRun): Promise<SandboxResult> {
  for (const { path, bytes } of run.pinned) {
    if (!(await readFile(join(run.workspace, path))).equals(bytes)) {
      throw new Failure('workspace_changed', `${path} has changed since it was approved`, 'Run it again.')
    }
  }
  const home = await mkdtemp(join(tmpdir(), 'bobbin-home-'))
  const remove = () => removeTree(home)
  // If what has run failed because of its home, it would be tried again.
  return runIn(home, run).finally(() => whenDescriptors(remove).catch(() => {}))
}

async function runIn(home: string, run: SandboxRun): Promise<SandboxResult> {
  const [program = '', ...args] = run.argv
  const packages = {
    ...(run.packages !== undefined && { NODE_PATH: run.packages }),
    ...(run.libraries !== undefined && { PYTHONPATH: run.libraries }),
  }
  const startedAt = Date.now()
  const child = withGivenUmask(() =>
    spawn(program, args, {
      cwd: join(run.workspace, run.directory),
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', ...packages, ...run.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, which is ended as a whole.
      detached: true,
    }),
  )
  let by: SandboxResult['by'] = 'itself'
  const endAs = (reason: SandboxResult['by']) => {
    if (by === 'itself') by = reason
    endGroup(child)
  }
  const output = collectOutput(run.limits.outputBytes, run.output, () => endAs('output'))
  child.stdout?.on('data', (bytes: Buffer) => output.add('stdout', bytes))
  child.stderr?.on('data', (bytes: Buffer) => output.add('stderr', bytes))
  const timer = setTimeout(() => endAs('timeout'), run.limits.timeoutMs)
  const stop = () => endAs('stop')
  run.signal.addEventListener('abort', stop, { once: true })
  if (run.signal.aborted) stop()
  const closed = once(child, 'close')
  // Whoever waits for the exit notices that a program doesn't exist.
  closed.catch(() => {})
  try {
    const [exitCode, endedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    // What it left behind keeps its pipes open, and a daemon isn't in its group.
    endGroup(child)
    await Promise.race([closed, sleep(pipesMs, undefined, { ref: false })])
    child.stdout?.destroy()
    child.stderr?.destroy()
    const ended = { exitCode: exitCode ?? undefined, endedBy: endedBy ?? undefined }
    return { by, ...ended, ...output.end(), durationMs: Date.now() - startedAt, refusedHosts: [] }
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', stop)
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
