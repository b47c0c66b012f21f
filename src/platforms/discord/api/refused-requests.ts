import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import { discordWords } from '../words/words.ts'

/** Discord bans an address for a while if it has sent this many refused requests (401, 403, 429) within 10 minutes. */
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

  /** This many within the window, which ends in this time. */
  count(count: number, remainingMs: number): void {
    this.#log.warn({ count, remainingMs }, discordWords.manyRequestsRefused())
    if (count >= holdFrom) this.#heldUntil = this.#clock.now() + remainingMs
  }

  /** Nothing may be sent for this long. */
  pauseMs(): number {
    return Math.max(0, this.#heldUntil - this.#clock.now())
  }
}
