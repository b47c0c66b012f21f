import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { inspectDatabase } from './inspect.ts'

/** A thread takes some 70 ms of processor time to start; checking so much takes 2 ms. */
const smallBytes = 2 * 1024 ** 2

/**
 * What SQLite's own quick check complains about; empty when the file is sound. A large file is checked on a thread of its own,
 * which ends with the process.
 */
export async function checkDatabase(databaseFile: string): Promise<string[]> {
  const { size } = await stat(databaseFile)
  if (size <= smallBytes) return inspectDatabase(databaseFile)?.faults ?? []
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: databaseFile })
  worker.unref()
  const [faults] = await once(worker, 'message')
  return faults as string[]
}
