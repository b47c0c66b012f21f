import type { Settings } from '../options.ts'

/** The budget of IDENTIFY calls. */
export class SessionStarts {
  readonly #settings: Settings['sessionStarts']
  #remaining: number
  #resetsAt: number
  #identifiedAt = 0

  constructor(settings: Settings['sessionStarts']) {
    this.#settings = settings
    this.#remaining = settings.remaining
    this.#resetsAt = Date.now() + settings.resetAfterMs
  }

  /** In the format of GET /gateway/bot. */
  get limit() {
    this.#renew()
    return {
      total: this.#settings.total,
      remaining: this.#remaining,
      reset_after: this.#resetsAt - Date.now(),
      max_concurrency: 1,
    }
  }

  /** Counts one more, and says whether it was allowed. */
  take(): 'allowed' | 'too soon' | 'exhausted' {
    this.#renew()
    if (this.#remaining <= 0) return 'exhausted'
    const soon = Date.now() - this.#identifiedAt < 5_000
    this.#remaining--
    this.#identifiedAt = Date.now()
    return soon ? 'too soon' : 'allowed'
  }

  #renew(): void {
    if (Date.now() < this.#resetsAt) return
    this.#remaining = this.#settings.total
    this.#resetsAt = Date.now() + this.#settings.resetAfterMs
  }
}
