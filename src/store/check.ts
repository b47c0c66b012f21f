import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What SQLite's own quick check complains about; empty when the file is sound. Nobody waits for it, and it ends with the process. */
export async function checkInBackground(databaseFile: string): Promise<string[]> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: databaseFile })
  worker.unref()
  const [faults] = await once(worker, 'message')
  return faults as string[]
}
