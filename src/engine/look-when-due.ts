import { type Clock, systemClock } from '../kit/clock.ts'
import { type NextAt, nextTimes } from '../store/next-at.ts'
import type { Store } from '../store/store.ts'
import type { Looking } from './look-often.ts'

/** After this time the database is asked again, because another process may have stored something, ms. */
const askAgainMs = 1_000

/** Clocks are corrected by less than this all the time, ms. */
const leastJumpMs = 5_000

/** If it ticks later than this, or an outage lasted longer, the process couldn't work meanwhile, ms. */
const leastPauseMs = 10_000

interface LookHooks {
  report(thrown: unknown): void
  /** The clock was set back by this much. */
  wentBack(byMs: number): Promise<void>
  /** The process couldn't work for a while. Nothing is looked at before this resolves. */
  paused(forMs: number): Promise<void>
}

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
  readonly #hooks: LookHooks
  readonly #machine: Clock
  readonly #looks: Known[] = []
  #timer: NodeJS.Timeout | undefined
  #asking: Promise<void> | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #writes = -1
  #latest = Number.NEGATIVE_INFINITY
  #tickedAt = Number.POSITIVE_INFINITY
  #pausedMs = 0
  #awakeSince: number

  /** `everyMs`: how late it may notice that something is due. `machine`: its own time of day, which shows pauses. */
  constructor(store: Store, clock: Clock, everyMs: number, hooks: LookHooks, machine: Clock = systemClock) {
    this.#store = store
    this.#clock = clock
    this.#everyMs = everyMs
    this.#hooks = hooks
    this.#machine = machine
    this.#awakeSince = clock.now()
  }

  /** When this process began to run, or went on after the last pause or outage. */
  get awakeSince(): number {
    return this.#awakeSince
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
    // If the database takes long to answer, that counts as well.
    if (this.#asking !== undefined) return
    this.#noticePause()
    this.#asking = this.#askAndLook()
      .catch(this.#hooks.report)
      .finally(() => {
        this.#asking = undefined
      })
  }

  /** The time of day goes on while a machine is suspended; timers don't. */
  #noticePause(): void {
    const at = this.#machine.now()
    const pausedMs = Math.max(at - this.#tickedAt - this.#everyMs, this.#store.availability.takeLostMs())
    this.#tickedAt = at
    if (pausedMs < leastPauseMs) return
    this.#awakeSince = this.#clock.now()
    this.#pausedMs += pausedMs
  }

  async #askAndLook(): Promise<void> {
    await this.#followClock()
    if (this.#mustAsk()) await this.#ask()
    // It may have paused in between.
    this.#noticePause()
    if (this.#pausedMs > 0) return
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
    if (this.#latest - now > leastJumpMs) await this.#hooks.wentBack(this.#latest - now)
    this.#latest = now
    const pausedMs = this.#pausedMs
    if (pausedMs === 0) return
    await this.#hooks.paused(pausedMs)
    // The clock may have been behind until then, and the process may have paused again.
    this.#awakeSince = this.#clock.now()
    this.#pausedMs -= pausedMs
  }

  #mustAsk(): boolean {
    if (this.#store.availability.writes !== this.#writes) return true
    if (performance.now() - this.#askedAt >= askAgainMs) return true
    const now = this.#clock.now()
    return this.#looks.some(({ at }) => at <= now)
  }

  async #ask(): Promise<void> {
    const { writes } = this.#store.availability
    const asked = [...this.#looks]
    const all = asked.map((look) => look.nextAt())
    const times = await nextTimes(this.#store.db, all)
    for (const [place, look] of asked.entries()) look.at = times[place] ?? look.at
    this.#askedAt = performance.now()
    this.#writes = writes
  }
}
