import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredJob } from '../store/jobs.ts'
import { JobLost } from './run-job.ts'

/** A job that runs here. */
export interface Run {
  job: StoredJob
  abort: AbortController
  done: Promise<void>
  ending: boolean
}

/** How long a job that ignores its signal keeps its owner waiting, ms. */
const leafGraceMs = 5_000

/** Ends jobs before the jobs that own them. */
export async function endFromTheLeaves(lost: Run[]): Promise<void> {
  const levels = Map.groupBy(lost, ({ job }) => job.depth)
  for (const depth of [...levels.keys()].toSorted((one, other) => other - one)) {
    const level = levels.get(depth) ?? []
    for (const { job, abort } of level) abort.abort(new JobLost(job.id))
    const over = new AbortController()
    const late = sleep(leafGraceMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
    await Promise.race([Promise.all(level.map(({ done }) => done)), late])
    over.abort()
  }
}
