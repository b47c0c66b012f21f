import { type Looking, lookOften } from '../engine/look-often.ts'
import { watchNodes } from '../engine/watch-nodes.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { FormerCalls } from '../outbound/former-calls.ts'
import { releaseAttempts } from '../store/outbox.ts'
import type { OpenEngine } from './engine.ts'
import type { Foundation } from './foundation.ts'

/** How often to look whether the other processes are there, ms. */
const lookMs = 500

/** Looks after the other processes on the database, and continues the work of one that is gone. */
export function lookAfterNodes(
  { config, store, only, report }: Foundation,
  { former, takeOver }: { former: FormerCalls } & Pick<OpenEngine, 'takeOver'>,
  jobs: Jobs,
): Looking[] {
  if (config.node === undefined) return []
  const gone = async () => {
    former.again()
    await releaseAttempts(store)
    await takeOver()
    await jobs.takeOver()
  }
  const look = watchNodes(store, only.holder, config.engine.silentMs, gone)
  return [lookOften(lookMs, look, report('other processes could not be looked for'))]
}
