import type { Client } from 'discord.js'
import type { Clock } from '../../../kit/clock.ts'

/** The signs of life of a connection, by our clock. */
export class Pulse {
  readonly #clock: Clock
  #alive = 0
  #told = 0
  #beat = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.begin()
  }

  /** A connection was opened: the one before it no longer counts. */
  begin(): void {
    this.#alive = this.#clock.now()
    this.#told = this.#alive
  }

  /** An event came. */
  event(): void {
    this.begin()
  }

  /** The other side was asked, and has sent everything it had. */
  asked(): void {
    this.#told = this.#clock.now()
  }

  /** Heartbeats that were answered since the last check. */
  look(client: Client | undefined): void {
    const beat = Math.max(0, ...(client?.ws.shards.map(({ lastPingTimestamp }) => lastPingTimestamp) ?? []))
    if (beat > this.#beat) this.#alive = this.#clock.now()
    this.#beat = beat
  }

  /** Without any sign of life for this long. */
  get silentMs(): number {
    return this.#clock.now() - this.#alive
  }

  /** Without any event for this long. */
  get quietMs(): number {
    return this.#clock.now() - this.#told
  }
}
