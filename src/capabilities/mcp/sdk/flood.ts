const perSecond = 200
const atOnce = 1_000
const mostDropped = 20_000

/** Keeps a server that talks without end from taking all our time. */
export class Flood {
  #left = atOnce
  #at = performance.now()
  #dropped = 0

  take(): 'take' | 'drop' | 'too-many' {
    const now = performance.now()
    this.#left = Math.min(atOnce, this.#left + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
    // Only a quiet while is a new start: otherwise the few that are taken meanwhile would make it look harmless.
    if (this.#left === atOnce) this.#dropped = 0
    if (this.#left >= 1) {
      this.#left--
      return 'take'
    }
    return ++this.#dropped > mostDropped ? 'too-many' : 'drop'
  }
}
