import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../../../kit/clock.ts'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { Notes } from '../../platform.ts'
import { readJson } from '../../read-json.ts'
import { limitedOr } from '../api/errors.ts'
import { discordWords } from '../words/words.ts'

// Discord allows a number of new sessions (IDENTIFY) in 24 hours, usually 1,000. A bot that exceeds it loses its token.

/** How many sessions are left today. */
export interface Spent {
  used: number
  total: number
  /** Until the day is over, ms. */
  leftMs: number
  /** Sessions in a row that didn't last. */
  failures: number
}

const dayMs = 86_400_000
const longestBackoffMs = 300_000

/** How long a new session has to wait: longer after each failure, and longer the fewer are left today. */
export function identifyWaitMs({ used, total, leftMs, failures }: Spent, spacingMs: number): number {
  if (used >= total * 0.9) return leftMs
  const backoffMs = failures === 0 ? 0 : Math.min(spacingMs * 2 ** (failures - 1), longestBackoffMs)
  const paceMs = used >= total * 0.5 ? leftMs / (total - used) : 0
  return Math.max(backoffMs, paceMs)
}

/** What Discord says about the limit. */
export interface SessionStartLimit {
  total: number
  remaining: number
  reset_after: number
}

const noted = z.object({ began: z.number(), used: z.number() })
type Day = z.output<typeof noted>

const noteName = 'discord.sessions'

/** Lets sessions begin no faster than allowed, across restarts too. */
export class IdentifyBudget {
  readonly #notes: Notes
  readonly #clock: Clock
  readonly #log: Log
  readonly #spacingMs: number
  #failures = 0
  #lastAt = Number.NEGATIVE_INFINITY
  #queue: Promise<unknown> = Promise.resolve()
  /** Set while a session waits. */
  waitingUntil: number | undefined

  /** `spacingMs`: the time that Discord requires between two sessions. */
  constructor({ notes, clock, log }: { notes: Notes; clock: Clock; log: Log }, spacingMs: number) {
    this.#notes = notes
    this.#clock = clock
    this.#log = log
    this.#spacingMs = spacingMs
  }

  /** Resolves when a session may begin; rejects when the signal says that it is no longer wanted. */
  begin(limit: () => Promise<SessionStartLimit>, signal: AbortSignal): Promise<void> {
    const turn = this.#queue.then(() => this.#begin(limit, signal))
    this.#queue = turn.catch(() => {})
    return turn
  }

  /** A session has lasted. */
  lasted(): void {
    this.#failures = 0
  }

  async #begin(limit: () => Promise<SessionStartLimit>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const now = this.#clock.now()
    const day = await this.#read(now)
    const told = await limit().catch((thrown: unknown) => {
      this.#log.warn({ error: reasonOf(limitedOr(thrown)) }, discordWords.sessionLimitUnknown())
      return { total: 1_000, remaining: 1_000, reset_after: dayMs }
    })
    const used = Math.max(day.used, told.total - told.remaining)
    const leftMs = day.used > told.total - told.remaining ? day.began + dayMs - now : told.reset_after
    const waitMs = identifyWaitMs({ used, total: told.total, leftMs, failures: this.#failures }, this.#spacingMs)
    await this.#wait(Math.max(waitMs, this.#lastAt + this.#spacingMs - now), now, signal)
    this.#failures += 1
    this.#lastAt = this.#clock.now()
    // Not knowing how many there were is no reason not to connect.
    await this.#notes
      .set(noteName, JSON.stringify({ ...day, used: day.used + 1 }))
      .catch((thrown: unknown) => this.#log.warn({ error: reasonOf(thrown) }, 'the count of sessions was not kept'))
  }

  async #wait(ms: number, now: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return
    this.#log.warn({ ms: Math.round(ms) }, 'a new session with Discord waits')
    this.waitingUntil = now + ms
    try {
      await sleep(ms, undefined, { signal, ref: false })
    } finally {
      this.waitingUntil = undefined
    }
  }

  async #read(now: number): Promise<Day> {
    const text = await this.#notes.get(noteName).catch(() => undefined)
    const day = readJson(text, noted)
    return day !== undefined && now - day.began < dayMs && now >= day.began ? day : { began: now, used: 0 }
  }
}
