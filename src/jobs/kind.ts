import type { JobId } from '../domain/ids.ts'
import type { Json } from '../kit/json.ts'
import type { JobOwner } from '../store/jobs.ts'
import type { Tx } from '../store/store.ts'

/** A job while it runs. */
export interface Job<Input = Json> {
  id: JobId
  owner: JobOwner
  /** What it was started with. */
  input: Input
  /** What it saved last, also in an earlier process; undefined at its beginning. */
  checkpoint: Json | undefined
  /**
   * Stores how far it is; `along` writes in the same transaction. Throws, and writes nothing, when the job has ended or
   * another process runs it.
   */
  save(checkpoint: Json, along?: (tx: Tx) => Promise<void>): Promise<void>
  /** Aborted when its owner has ended, and when the process stops. */
  signal: AbortSignal
}

/** What runs the jobs of one name. */
export interface JobKind<Input = never> {
  name: string
  /** So many at the same time; others wait. */
  atOnce?: number
  /** After so many failures without a step further it has failed for good. */
  attempts?: number
  /** Done when it resolves, or it runs again at `again`, ms. What it throws is tried again after a growing pause. */
  run(job: Job<Input>): Promise<{ again: number } | undefined>
}

const hourMs = 3_600_000
const usualAttempts = 8

/** When a job that has failed so often is tried again; undefined when that was the last time. */
export function retryAt(kind: JobKind | undefined, failures: number, now: number): number | undefined {
  if (failures >= (kind?.attempts ?? usualAttempts)) return undefined
  return now + Math.min(hourMs, 1_000 * 4 ** (failures - 1))
}
