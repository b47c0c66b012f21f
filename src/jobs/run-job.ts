import type { JobId } from '../domain/ids.ts'
import type { Clock } from '../kit/clock.ts'
import { reasonOf } from '../kit/failure.ts'
import { outageBehind } from '../kit/unavailable.ts'
import { failJob, finishJob, postponeJob, releaseJob, type StoredJob, saveJob } from '../store/jobs.ts'
import type { Store, Tx } from '../store/store.ts'
import { type Job, type JobKind, retryAt } from './kind.ts'

export interface RunDeps {
  store: Store
  clock: Clock
  report(what: string, about?: object): (thrown: unknown) => void
}

/** The job has ended, or another process runs it, so it can't write any more. */
export class JobLost extends Error {
  constructor(id: JobId) {
    super(`job ${id} has ended, or another process runs it`)
    this.name = 'JobLost'
  }
}

/** How long to wait for room on the disk, ms. */
const roomMs = 5_000

/**
 * Runs a claimed job until it is done, has failed, is lost, or the process stops. False if that couldn't be stored.
 * Never throws.
 */
export async function runJob(kind: JobKind, job: StoredJob, signal: AbortSignal, deps: RunDeps): Promise<boolean> {
  const { store, clock, report } = deps
  const about = { job: job.id, kind: job.kind }
  const patiently = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    store.availability.patiently(() => store.transaction(work))
  let now = job
  const running: Job<never> = {
    id: job.id,
    owner: job.owner,
    // Whoever starts a job knows its kind.
    input: job.input as never,
    checkpoint: job.checkpoint,
    signal,
    async save(checkpoint, along) {
      now = await patiently(async (tx) => {
        const saved = await saveJob(tx, now, checkpoint)
        if (saved === undefined) throw new JobLost(job.id)
        await along?.(tx)
        return saved
      })
    },
  }
  const end = async (thrown: unknown): Promise<void> => {
    if (thrown instanceof JobLost || signal.reason instanceof JobLost) return
    const at = retryAt(kind, now.attempts + 1, clock.now())
    const failed = await patiently((tx) => {
      if (signal.aborted) return releaseJob(tx, now)
      // A full disk isn't the job's fault.
      if (outageBehind(thrown) !== undefined) return postponeJob(tx, now, tx.now + roomMs)
      return failJob(tx, now, reasonOf(thrown), at)
    })
    if (failed && !signal.aborted) report(at === undefined ? 'a job failed for good' : 'a job failed', about)(thrown)
  }
  try {
    try {
      signal.throwIfAborted()
      const wanted = await kind.run(running)
      await patiently((tx) => (wanted === undefined ? finishJob(tx, now) : postponeJob(tx, now, wanted.again)))
    } catch (thrown) {
      await end(thrown)
    }
    return true
  } catch (thrown) {
    report('the end of a job could not be stored', about)(thrown)
    return false
  }
}

/** Counts a failure for jobs that nobody runs any more, and has them run again. */
export async function retryAll(
  jobs: StoredJob[],
  reason: string,
  kinds: ReadonlyMap<string, JobKind>,
  { store, clock }: Pick<RunDeps, 'store' | 'clock'>,
): Promise<void> {
  for (const job of jobs) {
    const at = retryAt(kinds.get(job.kind), job.attempts + 1, clock.now())
    await store.transaction((tx) => failJob(tx, job, reason, at))
  }
}
