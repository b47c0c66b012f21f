const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** What a platform refuses is tried for so long, ms. */
const patienceMs = 7 * 24 * hourMs

const firstMs = 5_000

/** When something that is refused since then is tried again: after as long as it has waited, an hour at most. Undefined: never. */
export function nextAttempt(refusedAt: number, now: number): number | undefined {
  const waitedMs = now - refusedAt
  if (waitedMs >= patienceMs) return undefined
  return now + Math.min(hourMs, Math.max(firstMs, waitedMs))
}
