import type { BotProcess } from './process.ts'

/** Where the bot is right now, for whoever wants to speak to it. Lives are short here. */
export class Keeper {
  #url: PromiseWithResolvers<string> = Promise.withResolvers()
  #gone = new AbortController()
  #current: BotProcess | undefined

  get current(): BotProcess | undefined {
    return this.#current
  }

  /** The address of the bot that is ready, whenever there is one. */
  address(): Promise<string> {
    return this.#url.promise
  }

  /** Aborted when the present bot is dead or another has taken over. */
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
