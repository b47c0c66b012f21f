const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long a refused entry is retried, ms. */
const patienceMs = 7 * dayMs

/**
 * When an entry that has been refused since then is given up, those behind it that were stored by this time are given
 * up too. Later ones have been waiting for less than a day, so they are retried for longer.
 */
export const givenUpWith = (refusedAt: number): number => refusedAt + patienceMs - dayMs

/** The shortest time between two attempts, ms. */
export const firstMs = 5_000

/**
 * When to retry an entry that has been refused since then: after as long as it has waited, at most an hour. Undefined:
 * never.
 */
export function nextAttempt(refusedAt: number, now: number): number | undefined {
  const waitedMs = now - refusedAt
  if (waitedMs >= patienceMs) return undefined
  return now + Math.min(hourMs, Math.max(firstMs, waitedMs))
}
