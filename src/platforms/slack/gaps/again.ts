/** The longest time between two attempts, ms. */
const longestMs = 60_000

export interface AgainOptions {
  /** Before the first attempt, ms; doubled each time one fails. */
  againMs: number
  attempt(): Promise<unknown>
  /** No further attempts. */
  stopping: AbortSignal
}

/** Tries again what has failed, until it works. */
export class Again {
  readonly #options: AgainOptions
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: AgainOptions) {
    this.#options = options
    options.stopping.addEventListener('abort', () => clearTimeout(this.#timer))
  }

  later(): void {
    const { againMs, stopping } = this.#options
    if (stopping.aborted) return
    const waitMs = Math.min(longestMs, againMs * 2 ** this.#failures)
    this.#timer ??= setTimeout(() => void this.#try(), waitMs).unref()
  }

  async #try(): Promise<void> {
    this.#timer = undefined
    try {
      await this.#options.attempt()
      this.#failures = 0
    } catch {
      this.#failures++
      this.later()
    }
  }
}
