import { Routes } from 'discord.js'
import type { DiscordApi } from '../api/api.ts'

/** An answer that is there sooner needs no sign that it comes, ms. */
const afterMs = 300
/** Discord shows it for ten seconds. */
const everyMs = 8_000

/** "Bobbin is typing…", until something can be read. */
export class Typing {
  readonly #api: DiscordApi
  readonly #channel: () => string
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(api: DiscordApi, channel: () => string) {
    this.#api = api
    this.#channel = channel
  }

  start(): void {
    if (this.#timer !== undefined || this.#stopped) return
    this.#timer = setTimeout(() => this.#show(), afterMs).unref()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #show(): void {
    const channel = this.#channel()
    const call = { bucket: 'typing', channel, priority: 'progress', coalesce: `typing ${channel}` } as const
    // It is a courtesy: where it fails, so will the answer, and say why.
    this.#api.write(call, { method: 'POST', route: Routes.channelTyping(channel) }).catch(() => this.stop())
    this.#timer = setTimeout(() => this.#show(), everyMs).unref()
  }
}
