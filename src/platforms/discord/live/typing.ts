import { Routes } from 'discord.js'
import type { DiscordApi } from '../api/api.ts'

/** A faster answer needs no sign that it is coming, ms. */
const afterMs = 300
/** Discord shows it for ten seconds. */
const everyMs = 8_000

/** "Bobbin is typing…", until there is something to read. */
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
    // It is a courtesy: if it fails, so will the answer, which will say why.
    this.#api.write(call, { method: 'POST', route: Routes.channelTyping(channel) }).catch(() => this.stop())
    this.#timer = setTimeout(() => this.#show(), everyMs).unref()
  }
}
