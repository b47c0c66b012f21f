import type { ModelFailure } from '../kit/model/model.ts'

type Code = ModelFailure['code']

interface Fate {
  /** Another attempt may succeed. */
  retry: boolean
  /** At most this many further attempts, whatever the patience. */
  most?: number
  /** Unless the model had said something before, it cost nothing. */
  free?: true
}

/** Which failures are worth another attempt. The only place that decides it. */
export const fates: Record<Code, Fate> = {
  // 429. `Retry-After` is obeyed.
  rate_limited: { retry: true, free: true },
  // No connection, 5xx, or a status below that says "later".
  unavailable: { retry: true, free: true },
  // The stream broke off, or what came was no stream.
  cut: { retry: true },
  // Nothing came for too long. It may have cost something, and people wait.
  hang: { retry: true, most: 1 },
  // Another attempt at an empty reply is usually empty too.
  empty: { retry: true, most: 2 },
  // It would cost as much again.
  endless: { retry: false },
  // The request, the key or the account is at fault: 4xx.
  refused: { retry: false, free: true },
}

/** What the statuses mean that aren't what their hundred says. */
const statuses = new Map<number, 'rate_limited' | 'unavailable'>([
  [408, 'unavailable'],
  [409, 'unavailable'],
  [425, 'unavailable'],
  [429, 'rate_limited'],
])

/** An account without money says 429 too, and no wait helps. */
const spent = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

export function codeOf(status: number, word: string | null | undefined): 'rate_limited' | 'unavailable' | 'refused' {
  if (typeof word === 'string' && spent.has(word)) return 'refused'
  return statuses.get(status) ?? (status >= 500 ? 'unavailable' : 'refused')
}
