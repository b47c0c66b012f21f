import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inspectSqlite } from './inspect.ts'

/** Starting a process takes about 70 ms of processor time; checking a file of this size takes 2 ms. */
const smallBytes = 2 * 1024 ** 2

/** A large file is checked after everything else has started, ms. */
const largeAfterMs = 3_000

const program = fileURLToPath(new URL('./check-alone.ts', import.meta.url))

/**
 * The complaints of SQLite's quick check; empty when the file is sound. A large file is checked by a low-priority child
 * process, which `signal` ends. A worker thread would leave 20 MB behind in this process.
 */
export async function checkDatabase(
  databaseFile: string,
  signal: AbortSignal,
  waitMs = largeAfterMs,
): Promise<string[]> {
  const { size } = await stat(databaseFile)
  if (size <= smallBytes) return inspectSqlite(databaseFile)?.faults ?? []
  await sleep(waitMs, undefined, { signal, ref: false })
  return checkAlone(databaseFile, signal)
}

async function checkAlone(databaseFile: string, signal: AbortSignal): Promise<string[]> {
  const child = spawn(process.execPath, [program, databaseFile], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { NODE_COMPILE_CACHE: getCompileCacheDir() },
    signal,
    killSignal: 'SIGKILL',
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  // Without a free descriptor, it has no streams.
  if (child.pid === undefined) await ended
  const [code, printed] = await Promise.all([ended, text(child.stdout)])
  if (code !== 0) throw new Error(`the check ended with ${code}`)
  return JSON.parse(printed) as string[]
}
