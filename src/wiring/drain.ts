import type { Looking } from '../engine/look-often.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Deliverer } from '../outbound/deliver.ts'
import type { Presenter } from '../outbound/presenter.ts'
import { setDrained } from '../store/nodes.ts'
import type { OpenEngine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import type { Shared } from './nodes.ts'

export interface Drained extends Pick<OpenEngine, 'letGo'> {
  shared: Shared | undefined
  jobs: Jobs
  looks: Looking[]
  deliverer: Deliverer
  bot: { presenter: Presenter }
  stopPlatforms(): Promise<unknown>
  /** Aborted when the process ends. */
  closing: AbortSignal
}

/** How long postings under way may take, ms. */
const postingMs = 30_000

/**
 * Takes nothing new, finishes what is running or leaves it to other processes, and stays idle. The console still works:
 * another process does what people ask there. False when the process ended meanwhile.
 */
export async function drain({ store, lock, log, report }: Foundation, parts: Drained): Promise<boolean> {
  const { shared, letGo, jobs, looks, deliverer, bot, stopPlatforms, closing } = parts
  const steps: [what: string, end: () => Promise<unknown>][] = [
    ['what other processes do from now on', async () => shared?.leave()],
    ['turns and jobs', () => Promise.all([letGo(), jobs.stop()])],
    ['messages of turns that rest', () => bot.presenter.stop()],
    [
      'what is looked at now and then',
      () => Promise.all(looks.filter(({ isOwn }) => isOwn !== true).map((look) => look.stop())),
    ],
    ['posting', () => deliverer.leave(postingMs)],
    ['platforms', stopPlatforms],
    ['its end', () => store.availability.patiently(() => setDrained(store, lock.holder))],
  ]
  log.info({}, 'draining: this process takes nothing new')
  for (const [what, end] of steps) {
    if (closing.aborted) return false
    await end().catch((thrown) => {
      if (!closing.aborted) report('a part could not be drained', { part: what })(thrown)
    })
  }
  return !closing.aborted
}
