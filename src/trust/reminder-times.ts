/** A reminder takes at most so many times as long as the first one. */
const rarest = 32

/**
 * When to remind next of what was asked at `askedAt`. The first three come in equal steps, each later one takes twice
 * as long. Neither a pause of the bot nor reminders to those who were asked before count.
 */
export function nextReminder(remindMs: number, askedAt: number, reminded: number, now: number): number {
  const steps = Math.floor((now - askedAt) / remindMs) - 1
  return now + remindMs * Math.max(1, Math.min(steps, 2 ** (reminded - 1), rarest))
}

export function earliest(...times: (number | undefined)[]): number | undefined {
  const due = times.filter((at) => at !== undefined)
  return due.length === 0 ? undefined : Math.min(...due)
}
