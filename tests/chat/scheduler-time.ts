/** A clock, and timers on it, that only go on when told to. */
export class ManualTime {
  time = 1_000_000
  readonly #timers: { at: number; run: () => void }[] = []

  now(): number {
    return this.time
  }

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.time + ms, run }
    this.#timers.push(timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  get waiting(): number {
    return this.#timers.length
  }

  /** Lets so much time pass, each timer at its moment. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms
    await settle()
    for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
      this.time = Math.max(this.time, next.at)
      this.#timers.splice(this.#timers.indexOf(next), 1)
      next.run()
      await settle()
    }
    this.time = end
  }

  #due(end: number) {
    const due = this.#timers.filter(({ at }) => at <= end)
    return due.toSorted((a, b) => a.at - b.at)[0]
  }
}

/** Until everything that can go on without time has. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
