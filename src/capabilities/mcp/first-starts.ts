/** Between two attempts, ms: twice as long each time. */
const shortestPauseMs = 30_000
const longestPauseMs = 1_800_000

interface Tried {
  notBefore: number
  pauseMs: number
  /** What was kept of its login after the attempt, once somebody has looked. */
  login: string | undefined
}

/** When servers whose first start has failed are started again: nobody has their tools, so no call does it. */
export class FirstStarts {
  readonly #tried = new Map<string, Tried>()

  /** Whether it is time for another attempt. Somebody who has logged in doesn't have to wait for it. */
  isDue(name: string, login: string, now: number): boolean {
    const tried = this.#tried.get(name)
    const pauseMs = tried === undefined ? shortestPauseMs : Math.min(2 * tried.pauseMs, longestPauseMs)
    const next = { notBefore: now + pauseMs, pauseMs }
    if (tried === undefined) this.#tried.set(name, { ...next, login })
    else {
      // What changed before is the attempt's own doing.
      tried.login ??= login
      if (now < tried.notBefore && login === tried.login) return false
      this.#tried.set(name, { ...next, login: undefined })
    }
    return tried !== undefined
  }

  isOver(name: string): void {
    this.#tried.delete(name)
  }
}
