import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kit/clock.ts'
import type { KnownPosting } from '../store/postings.ts'

/** What a process sent before it died arrives at the platform within so long, ms. */
const underWayMs = 1_000

/**
 * The calls of the process before this one. What it was about to post is looked for, and what it was about to change is
 * changed, when its last call has arrived: earlier, a message would be posted twice, or its progress stand over the answer.
 */
export class FormerCalls {
  readonly #clock: Clock
  readonly #startedAt: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startedAt = clock.now()
  }

  /** Resolves when none of them can change this message any more: at once for what this process has begun. */
  async arrived(known: KnownPosting | undefined): Promise<void> {
    if (known === undefined || known.begunAt >= this.#startedAt) return
    const leftMs = this.#startedAt + underWayMs - this.#clock.now()
    if (leftMs > 0) await sleep(Math.min(leftMs, underWayMs))
  }
}
