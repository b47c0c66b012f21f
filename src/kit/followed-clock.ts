import type { Clock } from './clock.ts'

/** An answer that took longer says little about when it was given, ms. */
const mostWayMs = 1_000

/** More than what an answer's way explains: the other clock was set, ms. */
const setMs = 1_000

/** Goes by the clock of somebody else, and counts on in between by one that is never set. */
export class FollowedClock implements Clock {
  readonly #counted: () => number
  #told = Date.now()
  #toldAt: number
  #last = 0
  #follows = false

  /** `counted`: the clock that is never set, ms. */
  constructor(counted = () => performance.now()) {
    this.#counted = counted
    this.#toldAt = counted()
  }

  now(): number {
    const now = Math.floor(this.#at(this.#counted()))
    // It doesn't go back by the little that an answer's way makes.
    this.#last = this.#last - now > setMs ? now : Math.max(now, this.#last)
    return this.#last
  }

  /**
   * `ask` resolves with the other clock's time. If that took long, it only counts if this clock is off by more than the
   * way explains.
   */
  async follow(ask: () => Promise<number>): Promise<void> {
    const before = this.#counted()
    const told = await ask()
    const wayMs = this.#counted() - before
    const toldAt = before + wayMs / 2
    const isExplained = Math.abs(told - this.#at(toldAt)) <= wayMs / 2
    if (this.#follows && wayMs > mostWayMs && isExplained) return
    this.#told = told
    this.#toldAt = toldAt
    this.#follows = true
  }

  #at(counted: number): number {
    return this.#told + counted - this.#toldAt
  }
}
