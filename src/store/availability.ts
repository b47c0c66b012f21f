import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kit/clock.ts'
import type { Unavailable } from '../kit/failure.ts'
import { asUnavailable } from '../kit/unavailable.ts'

/** How long to wait for room before the next try, unless somebody else stores something first, ms. */
const againMs = 1_000

/** Knows whether the store can be written, and lets work wait while it can't. */
export class Availability {
  readonly #clock: Clock
  #fault: Unavailable | undefined
  #again = Promise.withResolvers<void>()
  #tell: (fault: Unavailable | undefined) => void = () => {}
  readonly #leaving = new AbortController()
  #writes = 0
  #storedAt = Number.NEGATIVE_INFINITY
  #failsSince = 0
  #lostMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How often something was stored. */
  get writes(): number {
    return this.#writes
  }

  /** Why the latest write failed; undefined when it didn't. */
  get fault(): Unavailable | undefined {
    return this.#fault
  }

  /** How long nothing could be stored in outages that are over, ms. Each is told once. */
  takeLostMs(): number {
    const lostMs = this.#lostMs
    this.#lostMs = 0
    return lostMs
  }

  /** Calls `tell` when an outage begins and when it is over. */
  whenChanged(tell: (fault: Unavailable | undefined) => void): void {
    this.#tell = tell
  }

  /** Does one write. Throws Unavailable instead of the errors by which SQLite or the system report an outage. */
  async watch<T>(write: () => Promise<T>): Promise<T> {
    const begunAt = this.#clock.now()
    try {
      const result = await write()
      this.#writes++
      this.#storedAt = this.#clock.now()
      this.#set(undefined)
      return result
    } catch (thrown) {
      const fault = asUnavailable(thrown)
      if (fault === undefined) throw thrown
      // It may take long to fail, if the server is gone without a word.
      if (this.#fault === undefined) this.#failsSince = Math.max(begunAt, this.#storedAt)
      this.#set(fault)
      throw fault
    }
  }

  /** Tries until it works, as long as waiting may help. `waits` is told the reason, unless the first retry works. */
  async patiently<T>(write: () => Promise<T>, waits: (fault: Unavailable) => void = () => {}): Promise<T> {
    for (let tries = 0; ; tries++) {
      const again = this.#again.promise
      try {
        return await write()
      } catch (thrown) {
        const fault = asUnavailable(thrown)
        if (fault?.passes !== true || this.#leaving.signal.aborted) throw thrown
        if (tries > 0) waits(fault)
        await this.#pause(again)
      }
    }
  }

  /** Ends all waiting: what can't be written now is left to the next process. */
  leave(): void {
    this.#leaving.abort()
  }

  async #pause(again: Promise<void>): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#leaving.signal])
    // A process with nothing else to do may end.
    await Promise.race([again, sleep(againMs, undefined, { signal, ref: false }).catch(() => {})])
    over.abort()
  }

  #set(fault: Unavailable | undefined): void {
    const before = this.#fault
    this.#fault = fault
    if (fault === undefined && before !== undefined) {
      this.#lostMs += this.#storedAt - this.#failsSince
      this.#again.resolve()
      this.#again = Promise.withResolvers()
    }
    if (fault?.code !== before?.code) this.#tell(fault)
  }
}
