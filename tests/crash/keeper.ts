import type { BotProcess } from './process.ts'

/** A bot that runs. */
export interface Home {
  url: string
  /** Aborted when it is dead, frozen or replaced. */
  gone: AbortSignal
}

/** The bots' current addresses, because their lives are short here. */
export class Keeper {
  readonly #homes = new Map<BotProcess, { url: string; ending: AbortController }>()
  #any: PromiseWithResolvers<void> = Promise.withResolvers()

  /** Resolves with any that runs, once there is one. */
  async home(): Promise<Home> {
    while (this.#homes.size === 0) await this.#any.promise
    const homes = [...this.#homes.values()]
    const home = homes[Math.floor(Math.random() * homes.length)] ?? homes[0]
    return home === undefined ? this.home() : { url: home.url, gone: home.ending.signal }
  }

  isReady(bot: BotProcess, url: string): void {
    this.#homes.set(bot, { url, ending: new AbortController() })
    this.#any.resolve()
  }

  lost(bot: BotProcess): void {
    const home = this.#homes.get(bot)
    // One that was killed before it was ready: whoever waits goes on waiting for the same promise.
    if (home === undefined) return
    home.ending.abort()
    this.#homes.delete(bot)
    if (this.#homes.size === 0) this.#any = Promise.withResolvers()
  }
}
