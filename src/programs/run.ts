import { existsSync } from 'node:fs'
import { knownZone } from '../kit/calendar/zone.ts'
import { Failure } from '../kit/failure.ts'
import type { SandboxLimits, SandboxResult } from '../kit/sandbox/port.ts'
import { shownPath } from '../kit/text/shown.ts'
import { unpostable } from '../workspace/unpostable.ts'
import { missedIn, readOnlyIn } from './closed.ts'
import type { CommandsContext } from './context.ts'
import { insidePath } from './inside-path.ts'
import { watchQuota } from './quota.ts'
import { programsWords } from './words.ts'

/** An approved command can write where file tools write; any other only where nobody keeps files. */
const writable = { open: ['uploads', 'outputs', 'temp'], closed: ['outputs', 'temp'] }

export interface HowToRun {
  directory: string
  /** What the model asked for; the configuration sets the maximum. */
  timeoutMs: number | undefined
  /** A folder of packages that Node may import. */
  packages?: string
  /** A folder of modules that Python may import. */
  libraries?: string
}

/** Runs a program in the sandbox, in the workspace, and returns its outcome. Throws `no_sandbox`. */
export async function runInSandbox(
  argv: string[],
  { directory, timeoutMs, packages, libraries }: HowToRun,
  mostMs: number,
  context: CommandsContext,
): Promise<string> {
  const { workspace, limits, granted } = context
  const { environment } = limits.sandbox
  const wanted = insidePath(directory)
  const inside = wanted === '' ? '' : workspace.normalize(wanted)
  if (inside !== '' && (await workspace.stat(inside))?.kind !== 'directory') {
    throw new Failure('no_directory', programsWords.noDirectory({ path: inside }), programsWords.noDirectoryRemedy())
  }
  const quota = await watchQuota(context)
  const startedAt = Date.now()
  const most = limitsFor(context, Math.min(timeoutMs ?? mostMs, mostMs))
  const asked = {
    argv,
    workspace: workspace.root,
    writable: granted.closed ? writable.closed : writable.open,
    pinned: granted.pinned,
    modules: granted.pinned.flatMap(({ module, bytes }) => (module === undefined ? [] : [{ name: module, bytes }])),
    directory: inside,
    ...(packages !== undefined && { packages }),
    ...(libraries !== undefined && { libraries }),
    environment: { ...zoneIn(context.timeZone), ...environment },
    hosts: granted.closed ? [] : granted.hosts,
    limits: quota.wasFull ? { ...most, fileBytes: 0 } : most,
    output: (_: 'stdout' | 'stderr', text: string) => context.output(text),
    signal: AbortSignal.any([context.signal, quota.signal]),
  }
  const pinned = granted.pinned.map(({ path }) => path)
  const run = workspace.holding(pinned, () => context.sandbox.run(asked))
  const result = await run.finally(quota.end).finally(() => workspace.remeasure())
  context.signal.throwIfAborted()
  const missed = granted.closed
    ? missedIn(result, timeoutMs ?? mostMs, granted.hosts, limits.sandbox.closed)
    : readOnlyIn(result)
  const full = await quota.outcome(result)
  return report(result, [full, await notPosted(workspace.root, startedAt)], missed)
}

/** Clocks show the asker's time. A zone whose file the system doesn't have would pass for UTC. */
function zoneIn(timeZone: string): Record<string, string> {
  const known = knownZone(timeZone)
  // Node also knows `europe/berlin`, which is no file's name.
  const { timeZone: spelled } = new Intl.DateTimeFormat('en', { timeZone: known }).resolvedOptions()
  const zone = [known, spelled].find((name) => existsSync(`/usr/share/zoneinfo/${name}`))
  return zone === undefined ? {} : { TZ: zone }
}

/** How many of them are named. */
const mostNamed = 5

/** Said now, while what was made can still be copied or renamed. */
async function notPosted(root: string, since: number): Promise<string | undefined> {
  // The result is worth more than this note.
  const found = await unpostable(root, since).catch(() => [])
  const what = found
    .slice(0, mostNamed)
    .map(({ path, why }) => programsWords.whyNotPosted({ path: shownPath(path), why }))
  if (what.length === 0) return undefined
  return programsWords.notPosted({ what: what.join(', '), more: found.length - what.length })
}

function limitsFor({ limits: { sandbox }, granted }: CommandsContext, timeoutMs: number): SandboxLimits {
  const { outputBytes, fileBytes, memoryBytes, processes, temporaryBytes, closed } = sandbox
  const open = { timeoutMs, fileBytes, memoryBytes, processes, temporaryBytes }
  if (!granted.closed) return { ...open, outputBytes }
  return {
    outputBytes,
    timeoutMs: Math.min(timeoutMs, closed.timeoutMs),
    fileBytes: Math.min(fileBytes, closed.fileBytes),
    memoryBytes: Math.min(memoryBytes, closed.memoryBytes),
    processes: Math.min(processes, closed.processes),
    temporaryBytes: Math.min(temporaryBytes, closed.temporaryBytes),
  }
}

/** stdout, stderr and how it ended. */
function report(result: SandboxResult, left: (string | undefined)[], missed: string | undefined): string {
  const { stdout, stderr, refusedHosts, by } = result
  // Masking looks for a secret that was cut only before `…`.
  const shown = (text: string) => `${text.replace(/\n$/, '')}${by === 'output' ? '…' : ''}`
  // First, so that it isn't cut off when there is too much output.
  const parts = [
    ...left.map((note) => (note === undefined ? '' : `[${note}]`)),
    `[${ending(result)}]`,
    missed === undefined ? '' : `[${missed}]`,
    ...refusedHosts.map(({ host, why }) => `[${programsWords.hostRefused({ host, why })}]`),
    stdout === '' ? '' : shown(stdout),
    stderr === '' ? '' : `[stderr]\n${shown(stderr)}`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function ending({ by, exitCode, endedBy, durationMs }: SandboxResult): string {
  const seconds = (durationMs / 1000).toFixed(1)
  if (by === 'timeout') return programsWords.stoppedForTime({ seconds })
  if (by === 'output') return programsWords.tooMuchOutput({ seconds })
  if (by === 'memory') return programsWords.stoppedForMemory({ seconds })
  if (by === 'processes') return programsWords.stoppedForProcesses({ seconds })
  if (by === 'disk') return programsWords.stoppedForDisk({ seconds })
  if (exitCode !== undefined) return programsWords.exitCode({ code: exitCode, seconds })
  return endedBy === undefined
    ? programsWords.endedByASignal({ seconds })
    : programsWords.endedBySignal({ signal: endedBy, seconds })
}
