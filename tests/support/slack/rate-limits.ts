/** Calls a minute by tier. */
export type Tier = 1 | 2 | 3 | 4 | 'message' | 'unlimited'

const perMinute: Record<1 | 2 | 3 | 4, number> = { 1: 1, 2: 20, 3: 50, 4: 100 }

/** A message a second and channel; short bursts are let through. */
const burst = 5

/** What `limits: 'real'` counts. The figures are the documented minimum of each tier. */
export class RateLimits {
  readonly #calls = new Map<string, number[]>()

  /** Seconds to wait, or 0. */
  waitFor(method: string, tier: Tier, channel: string): number {
    if (tier === 'unlimited') return 0
    return tier === 'message'
      ? this.#take(`${method}:${channel}`, burst, burst * 1_000)
      : this.#take(method, perMinute[tier], 60_000)
  }

  #take(key: string, most: number, withinMs: number): number {
    const now = Date.now()
    const recent = (this.#calls.get(key) ?? []).filter((at) => at > now - withinMs)
    this.#calls.set(key, recent)
    const first = recent[0]
    if (recent.length >= most && first !== undefined) return Math.max(1, Math.ceil((first + withinMs - now) / 1_000))
    recent.push(now)
    return 0
  }
}
