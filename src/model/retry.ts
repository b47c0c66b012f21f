import type { ModelFailure, ModelPatience } from '../kit/model/model.ts'
import { fates } from './retry-table.ts'

/** Full jitter: anything from 0 to the cap, in ms. `attempt` is the number of attempts that failed before, from 0. */
export const retryDelay = (attempt: number, patience: ModelPatience, random: () => number): number =>
  Math.round(random() * Math.min(patience.maxDelayMs, patience.baseDelayMs * 2 ** attempt))

/** Whether any of these attempts may have cost something. */
export const haveCost = (failures: readonly ModelFailure[]): boolean =>
  failures.some(({ code, mayHaveCost }) => mayHaveCost || !fates[code].free)

/** `attempts`: how many there are, the first among them, if the next ones fail like the last. */
export type NextTry = { do: 'wait'; waitMs: number; attempts: number } | { do: 'give-up' }

/** What to do after `failures`, the failed attempts at one request, latest last. */
export function nextTry(failures: readonly ModelFailure[], patience: ModelPatience, random: () => number): NextTry {
  const last = failures.at(-1)
  if (last === undefined || !last.retry || failures.length >= patience.attempts) return { do: 'give-up' }
  const { most = Number.POSITIVE_INFINITY } = fates[last.code]
  const left = most - failures.filter(({ code }) => code === last.code).length
  if (left < 0) return { do: 'give-up' }

  const jitter = retryDelay(failures.length - 1, patience, random)
  const attempts = Math.min(patience.attempts, failures.length + 1 + left)
  if (last.retryAfterMs === undefined) return { do: 'wait', waitMs: jitter, attempts }
  if (last.retryAfterMs > patience.maxRetryAfterMs) return { do: 'give-up' }
  // Never before the provider allows it, and not all sessions at the same moment.
  return { do: 'wait', waitMs: last.retryAfterMs + Math.min(jitter, patience.baseDelayMs), attempts }
}
