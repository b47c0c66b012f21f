import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../kit/failure.ts'
import { readJob, startJob } from '../../store/jobs.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db, Tx } from '../../store/store.ts'
import { type CompactInput, compacting } from './compact.ts'
import type { ContextSettings } from './settings.ts'
import { type Ready, readState } from './state.ts'
import { contextWords } from './words.ts'

/** Throws where a summary would never be sent. */
export function refuseUnsent({ window }: Pick<ContextSettings, 'window'>): void {
  if (window === 'messages') throw new Failure('no_summary', contextWords.unsent(), contextWords.unsentRemedy())
}

/** A session may have two of these jobs at once: one of its own, and one that somebody asked for. */
const keyOf = ({ session, tell }: CompactInput): string => (tell ? `${session} told` : session)

export async function startCompacting(tx: Tx, input: CompactInput): Promise<void> {
  await startJob(tx, { kind: compacting, key: keyOf(input), owner: input.session, input: { ...input } })
}

/** How long to wait between two looks, ms: at first, and at most. */
const lookMs = { first: 20, most: 500 }

/**
 * Waits until no summary is being written, for at most `waitMs`. Returns what is ready then, if anything is, and what
 * the job is if it isn't done.
 */
export async function untilReady(
  db: Db,
  { id, historyFrom }: Session,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<{ ready: Ready | undefined; job: 'open' | 'failed' | undefined }> {
  const until = Date.now() + waitMs
  for (let pause = lookMs.first; ; pause = Math.min(lookMs.most, pause * 2)) {
    const job = (await readJob(db, compacting, id))?.state
    const { ready } = await readState(db, id, historyFrom)
    if (job !== 'open' || Date.now() > until) return { ready, job }
    await sleep(pause, undefined, { signal })
  }
}
