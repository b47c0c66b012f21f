/** Between two attempts, ms: twice as long each time. */
const shortestPauseMs = 30_000
const longestPauseMs = 1_800_000

interface Tried {
  notBefore: number
  pauseMs: number
  /** The tokens of its login; '' if there were none. */
  login: string
}

/** When servers whose first start has failed are started again: nobody has their tools, so no call does it. */
export class FirstStarts {
  readonly #tried = new Map<string, Tried>()

  /** Whether it is time for another attempt. Somebody who has logged in doesn't have to wait for it. */
  isDue(name: string, login: string, now: number): boolean {
    const tried = this.#tried.get(name)
    const isLoggedIn = login !== '' && login !== tried?.login
    if (tried !== undefined && now < tried.notBefore && !isLoggedIn) return false
    const pauseMs = tried === undefined ? shortestPauseMs : Math.min(2 * tried.pauseMs, longestPauseMs)
    this.#tried.set(name, { notBefore: now + pauseMs, pauseMs, login })
    return tried !== undefined
  }

  /** An attempt has failed. It may have refreshed tokens; where there were none, somebody has logged in meanwhile. */
  failed(name: string, login: string): void {
    const tried = this.#tried.get(name)
    if (tried !== undefined && tried.login !== '') tried.login = login
  }

  /** From now on, only somebody who logs in has it started again. */
  pause(name: string, login: string): void {
    this.#tried.set(name, { notBefore: Number.POSITIVE_INFINITY, pauseMs: longestPauseMs, login })
  }

  isOver(name: string): void {
    this.#tried.delete(name)
  }
}
