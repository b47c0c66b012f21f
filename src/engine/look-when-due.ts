import type { Clock } from '../kit/clock.ts'
import { type NextAt, nextTimes } from '../store/next-at.ts'
import type { Store } from '../store/store.ts'
import type { Looking } from './look-often.ts'

/** After this time the database is asked again, because another process may have stored something, ms. */
const askAgainMs = 1_000

/** Clocks are corrected by less than this all the time, ms. */
const leastJumpMs = 5_000

export interface DueLook {
  nextAt(): NextAt
  look(): Promise<void>
  report(thrown: unknown): void
  /** Whether to look even if nothing is due. */
  isBusy?(): boolean
}

interface Known extends DueLook {
  at: number
  current: Promise<void> | undefined
}

/**
 * Looks when something is due, never twice at a time for the same thing. One query asks for all of them when that is.
 */
export class LooksWhenDue implements Looking {
  readonly #store: Store
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #report: (thrown: unknown) => void
  readonly #looks: Known[] = []
  #timer: NodeJS.Timeout | undefined
  #asking: Promise<void> | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #writes = -1
  readonly #wentBack: (byMs: number) => Promise<void>
  #latest = Number.NEGATIVE_INFINITY

  /**
   * `everyMs`: how late it may notice that something is due. `wentBack` is told when the clock was set back, and by how
   * much.
   */
  constructor(
    store: Store,
    clock: Clock,
    everyMs: number,
    { report, wentBack }: { report: (thrown: unknown) => void; wentBack(byMs: number): Promise<void> },
  ) {
    this.#store = store
    this.#clock = clock
    this.#everyMs = everyMs
    this.#report = report
    this.#wentBack = wentBack
  }

  add(look: DueLook): void {
    this.#looks.push({ ...look, at: Number.NEGATIVE_INFINITY, current: undefined })
  }

  start(): void {
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), this.#everyMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#asking
    await Promise.all(this.#looks.map(({ current }) => current))
  }

  #tick(): void {
    this.#asking ??= this.#askAndLook()
      .catch(this.#report)
      .finally(() => {
        this.#asking = undefined
      })
  }

  async #askAndLook(): Promise<void> {
    await this.#followClock()
    if (this.#mustAsk()) await this.#ask()
    const now = this.#clock.now()
    for (const look of this.#looks) {
      if (look.at > now && look.isBusy?.() !== true) continue
      look.current ??= look
        .look()
        .catch(look.report)
        .finally(() => {
          look.current = undefined
        })
    }
  }

  async #followClock(): Promise<void> {
    const now = this.#clock.now()
    if (this.#latest - now > leastJumpMs) await this.#wentBack(this.#latest - now)
    this.#latest = now
  }

  #mustAsk(): boolean {
    if (this.#store.availability.writes !== this.#writes) return true
    if (performance.now() - this.#askedAt >= askAgainMs) return true
    const now = this.#clock.now()
    return this.#looks.some(({ at }) => at <= now)
  }

  async #ask(): Promise<void> {
    const { availability, db } = this.#store
    const { writes } = availability
    const asked = [...this.#looks]
    const times = await nextTimes(
      db,
      asked.map((look) => look.nextAt()),
    )
    for (const [place, look] of asked.entries()) look.at = times[place] ?? look.at
    this.#askedAt = performance.now()
    this.#writes = writes
  }
}
