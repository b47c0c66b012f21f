import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'

/** Discord bans an address for a while that has sent so many refused requests (401, 403, 429) within 10 minutes. */
const banAfter = 10_000
/** From here on nothing is sent until the window has passed. */
const holdFrom = banAfter * 0.6

/** Keeps us far from the ban, whatever goes wrong. */
export class RefusedRequests {
  readonly #clock: Clock
  readonly #log: Log
  #heldUntil = 0

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock
    this.#log = log
  }

  /** So many within the window, which lasts so long yet. */
  count(count: number, remainingMs: number): void {
    this.#log.warn({ count, remainingMs }, 'Discord refuses many requests')
    if (count >= holdFrom) this.#heldUntil = this.#clock.now() + remainingMs
  }

  /** For so long nothing may be sent. */
  pauseMs(): number {
    return Math.max(0, this.#heldUntil - this.#clock.now())
  }
}
