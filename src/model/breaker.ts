/** When a model that keeps failing is left alone, and for how long. */
export interface BreakerSettings {
  /** So many requests failed one after the other, each with all its attempts. */
  afterFailures: number
  restMs: number
}

/**
 * Leaves a model alone for a while after it has failed several times in a row. When the rest is over, one request tries
 * it, while the others still go elsewhere.
 */
export class Breaker {
  readonly #settings: BreakerSettings
  readonly #now: () => number
  #failures = 0
  #restsUntil = 0

  constructor(settings: BreakerSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** Whether a request may go to the model now. */
  lets(): boolean {
    if (this.#failures < this.#settings.afterFailures) return true
    if (this.#now() < this.#restsUntil) return false
    this.#restsUntil = this.#now() + this.#settings.restMs
    return true
  }

  answered(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures++
    this.#restsUntil = this.#now() + this.#settings.restMs
  }
}
