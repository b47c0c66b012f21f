import type { Clock } from './clock.ts'

/** An answer that took longer says little about when it was given, ms. */
const mostWayMs = 1_000

/** More than what an answer's way explains: the other clock was set, ms. */
const setMs = 1_000

/** Goes by the clock of somebody else, and counts on in between by one that is never set. */
export class FollowedClock implements Clock {
  #told = Date.now()
  #toldAt = performance.now()
  #last = 0
  #follows = false

  now(): number {
    const now = Math.floor(this.#told + performance.now() - this.#toldAt)
    // It doesn't go back by the little that an answer's way makes.
    this.#last = this.#last - now > setMs ? now : Math.max(now, this.#last)
    return this.#last
  }

  /** `ask` resolves with the other clock's time. */
  async follow(ask: () => Promise<number>): Promise<void> {
    const before = performance.now()
    const told = await ask()
    const after = performance.now()
    if (this.#follows && after - before > mostWayMs) return
    this.#told = told
    this.#toldAt = (before + after) / 2
    this.#follows = true
  }
}
