import type { Connection } from './connection.ts'

/** A session outlives its connections and keeps missed events until it is resumed. */
export class Session {
  readonly id: string
  readonly intents: number
  readonly shard: [number, number]
  connection: Connection | undefined
  #sequence = 0
  readonly #kept: { sequence: number; text: string }[] = []

  constructor(id: string, intents: number, shard: [number, number], connection: Connection) {
    this.id = id
    this.intents = intents
    this.shard = shard
    this.connection = connection
  }

  get sequence(): number {
    return this.#sequence
  }

  /** Numbers an event and keeps it for a RESUME, whether or not it can be sent now. */
  dispatch(event: string, data: unknown): void {
    const sequence = ++this.#sequence
    const text = JSON.stringify({ op: 0, t: event, s: sequence, d: data })
    this.#kept.push({ sequence, text })
    if (!this.connection?.mute) this.connection?.sendText(text)
  }

  replayAfter(sequence: number): void {
    for (const kept of this.#kept) if (kept.sequence > sequence) this.connection?.sendText(kept.text)
  }
}
