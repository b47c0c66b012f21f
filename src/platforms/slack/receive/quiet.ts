export interface QuietTimes {
  /** If nothing arrives for this long, ms, it is found out whether there was something: nearby, */
  quietMs: number
  /** and after this long everywhere. */
  quietEverywhereMs: number
  /**
   * How old a connection is when it is first checked, ms. Its silence means something later only if it has answered
   * while all was well.
   */
  echoFirstMs: number
}

export type Where = 'new' | 'near' | 'everywhere'

/** When to find out whether silence means that nothing was said. All times in ms since 1970. */
export class Quiet {
  readonly #times: QuietTimes
  #heardAt = 0
  #openedAt = 0
  #isNew = false
  /** When Slack was last asked for what may have been missed, at all and everywhere. */
  #lookedAt = 0
  #lookedEverywhereAt = 0

  constructor(times: QuietTimes) {
    this.#times = times
  }

  /** When something last arrived, or could arrive again; 0 before the first time. */
  get heardAt(): number {
    return this.#heardAt
  }

  /** From now on things may arrive. */
  opened(now: number): void {
    this.#openedAt = now
    this.#isNew = true
    this.#heardAt = now
  }

  heard(now: number): void {
    this.#heardAt = now
  }

  /** Where to look now; undefined if there is no need to. */
  due(now: number): Where | undefined {
    const where = this.#where(now)
    if (where === undefined) return undefined
    this.#isNew = false
    this.#lookedAt = now
    if (where === 'everywhere') this.#lookedEverywhereAt = now
    return where
  }

  #where(now: number): Where | undefined {
    const { quietMs, quietEverywhereMs, echoFirstMs } = this.#times
    if (now - Math.max(this.#heardAt, this.#lookedAt) < quietMs)
      return this.#isNew && now - this.#openedAt >= echoFirstMs ? 'new' : undefined
    return now - Math.max(this.#heardAt, this.#lookedEverywhereAt) < quietEverywhereMs ? 'near' : 'everywhere'
  }
}
