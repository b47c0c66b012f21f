/** A time limit that stands still while people are asked. */
export class Patience {
  readonly limitMs: number
  readonly #over = new AbortController()
  #leftMs: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #pauses = 0

  constructor(limitMs: number) {
    this.limitMs = limitMs
    this.#leftMs = limitMs
    this.#run()
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  async during<T>(asking: Promise<T>): Promise<T> {
    // During a pause it stands still already.
    if (this.#pauses++ === 0) {
      this.end()
      this.#leftMs -= performance.now() - this.#since
    }
    try {
      return await asking
    } finally {
      if (--this.#pauses === 0) this.#run()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #run(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(() => this.#over.abort(), Math.max(1, this.#leftMs))
  }
}
