import type { JobId } from '../domain/ids.ts'
import type { Json } from '../kit/json.ts'
import type { JobOwner } from '../store/jobs.ts'
import type { Tx } from '../store/store.ts'

/** A job while it runs. */
export interface Job<Input = Json> {
  id: JobId
  owner: JobOwner
  input: Input
  /** What it saved last, maybe in an earlier process; undefined at the start. */
  checkpoint: Json | undefined
  /**
   * Stores how far it has got; `along` writes in the same transaction. Throws, and writes nothing, when the job has
   * ended or another process runs it.
   */
  save(checkpoint: Json, along?: (tx: Tx) => Promise<void>): Promise<void>
  /** Aborted when its owner has ended, and when the process stops. */
  signal: AbortSignal
}

/** What runs the jobs of one name. */
export interface JobKind<Input = never> {
  name: string
  /** How many run at the same time; others wait. */
  atOnce?: number
  /** After this many failures without progress it is given up. */
  attempts?: number
  /**
   * It is done when this resolves, unless `again` says when to run it again, ms. Errors are retried after a growing
   * pause.
   */
  run(job: Job<Input>): Promise<{ again: number } | undefined>
}

const hourMs = 3_600_000
const usualAttempts = 8

/** When to retry a job after this many failures; undefined when it is given up. */
export function retryAt(kind: JobKind | undefined, failures: number, now: number): number | undefined {
  if (failures >= (kind?.attempts ?? usualAttempts)) return undefined
  return now + Math.min(hourMs, 1_000 * 4 ** (failures - 1))
}
