import type { BotProcess } from './process.ts'

/** The bot's current address, because its lives are short here. */
export class Keeper {
  #url: PromiseWithResolvers<string> = Promise.withResolvers()
  #gone = new AbortController()
  #current: BotProcess | undefined

  get current(): BotProcess | undefined {
    return this.#current
  }

  /** Resolves with the address once a bot is ready. */
  address(): Promise<string> {
    return this.#url.promise
  }

  /** Aborted when the current bot is dead or another has taken over. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  isReady(bot: BotProcess, url: string): void {
    this.lost()
    this.#current = bot
    this.#url.resolve(url)
  }

  lost(): void {
    if (this.#current === undefined) return
    this.#current = undefined
    this.#gone.abort()
    this.#gone = new AbortController()
    this.#url = Promise.withResolvers()
  }
}
