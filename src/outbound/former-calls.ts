import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kit/clock.ts'
import { isLockedByAnother } from '../store/lock.ts'
import { findPosting, type KnownPosting } from '../store/postings.ts'
import type { Db } from '../store/store.ts'

/** How long a call of a dead process may still take to reach the platform, ms. */
const underWayMs = 1_000

/** How long to wait for a process that is alive, ms: longer than a call can take with its wait for a rate limit. */
const longestMs = 60_000

/** How often its row is read meanwhile, ms. */
const lookMs = 100

/**
 * Waits for calls that somebody else has under way: those of a process that this one replaces, and the first post of a
 * live message whose turn rested meanwhile and continues elsewhere. If this process looked for such messages, or
 * changed them, any earlier, a message could be posted twice, or old progress could replace an answer.
 */
export class FormerCalls {
  readonly #db: Db
  readonly #clock: Clock
  #since: number

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#since = clock.now()
  }

  /** Another process is gone, and this one continues what it did. */
  again(): void {
    this.#since = this.#clock.now()
  }

  /** What is known of a message, once no such call can change that, or as soon as `isEnough`. */
  async find(key: string, isEnough: () => boolean): Promise<KnownPosting | undefined> {
    const known = await this.#posted(key, isEnough)
    await this.arrived(known)
    return known
  }

  /**
   * Resolves when no call of a process that is gone can change this message; at once for messages that were begun
   * since.
   */
  async arrived(known: Pick<KnownPosting, 'begunAt'> | undefined): Promise<void> {
    if (known === undefined || known.begunAt >= this.#since) return
    const leftMs = this.#since + underWayMs - this.#clock.now()
    if (leftMs > 0) await sleep(Math.min(leftMs, underWayMs))
  }

  /** Waits for whoever is posting it as a live message, in this process or in another one. */
  async #posted(key: string, isEnough: () => boolean): Promise<KnownPosting | undefined> {
    for (let waitedMs = 0; ; waitedMs += lookMs) {
      const known = await findPosting(this.#db, key)
      if (known?.holder === undefined || waitedMs >= longestMs || isEnough()) return known
      if (await isLockedByAnother(this.#db, known.holder)) {
        await sleep(underWayMs)
        return known
      }
      await sleep(lookMs)
    }
  }
}
