import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kit/clock.ts'
import type { KnownPosting } from '../store/postings.ts'

/** How long a call of a dead process may still take to reach the platform, ms. */
const underWayMs = 1_000

/**
 * Waits for the last calls of a process that this one replaces. If this process looked for that one's messages, or changed them, any
 * earlier, a message could be posted twice, or old progress could replace an answer.
 */
export class FormerCalls {
  readonly #clock: Clock
  #since: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** Another process is gone, and this one continues what it did. */
  again(): void {
    this.#since = this.#clock.now()
  }

  /** Resolves when no such call can change this message; at once for messages that were begun since. */
  async arrived(known: KnownPosting | undefined): Promise<void> {
    if (known === undefined || known.begunAt >= this.#since) return
    const leftMs = this.#since + underWayMs - this.#clock.now()
    if (leftMs > 0) await sleep(Math.min(leftMs, underWayMs))
  }
}
