import type { Json } from './json.ts'
import type { Misbehaviour } from './misbehave.ts'
import type { Settings } from './settings.ts'

export type EnvelopeType = 'events_api' | 'interactive' | 'slash_commands'

export interface Envelope {
  type: EnvelopeType
  payload: Json
  attempt: number
  /** Why it comes again: `timeout` or `http_error`. */
  reason: string
}

export type Receipt =
  | { kind: 'acked'; answer: unknown }
  | { kind: 'unacked'; reason: 'timeout' | 'http_error' }
  /** It went to a socket that delivers nothing, so it is not sent again. */
  | { kind: 'swallowed' }

export interface Transport {
  send(envelope: Envelope, waitMs: number): Promise<Receipt>
}

/** The delivery of one event or interaction. */
export interface Delivery {
  type: EnvelopeType
  /** Of the event or the interaction. */
  name: string
  eventId: string | undefined
  attempts: number
  outcome: 'open' | Receipt['kind']
  /** From the first attempt to the acknowledgement, ms. */
  tookMs: number | undefined
}

export type Answer = { acked: true; answer: unknown } | { acked: false }

const mostKept = 10_000

/** Delivers events to the app, and again if they aren't acknowledged. */
export class Courier {
  readonly deliveries: Delivery[] = []
  readonly #settings: Settings
  readonly #misbehave: Misbehaviour
  readonly #transport: () => Transport
  readonly #changed: () => void
  readonly #idle = new Set<() => void>()
  #open = 0
  #closed = false

  constructor(settings: Settings, misbehave: Misbehaviour, transport: () => Transport, changed: () => void) {
    this.#changed = changed
    this.#settings = settings
    this.#misbehave = misbehave
    this.#transport = transport
  }

  /** Delivers an event until it is acknowledged or there are no retries left. */
  event(payload: Json, name: string): Promise<Answer> {
    return this.#bring('events_api', payload, name, [...this.#settings.redeliveryMs, this.#settings.ackMs])
  }

  /** Delivers a click, a submission or a command, once. */
  interaction(type: 'interactive' | 'slash_commands', payload: Json, name: string): Promise<Answer> {
    return this.#bring(type, payload, name, [this.#settings.ackMs])
  }

  /** Resolves when no delivery is in progress. */
  async idle(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#idle.add(resolve))
  }

  close() {
    this.#closed = true
  }

  async #bring(type: EnvelopeType, payload: Json, name: string, waits: number[]): Promise<Answer> {
    const eventId = typeof payload.event_id === 'string' ? payload.event_id : undefined
    const delivery: Delivery = { type, name, eventId, attempts: 0, outcome: 'open', tookMs: undefined }
    this.deliveries.push(delivery)
    if (this.deliveries.length > mostKept) this.deliveries.shift()
    this.#open++
    try {
      return await this.#insist(delivery, payload, waits)
    } finally {
      this.#open--
      if (this.#open === 0) for (const resolve of this.#idle) resolve()
      if (this.#open === 0) this.#idle.clear()
    }
  }

  async #insist(delivery: Delivery, payload: Json, waits: number[]): Promise<Answer> {
    let reason = ''
    const began = performance.now()
    const { late } = this.#misbehave
    if (late !== undefined && JSON.stringify(payload).includes(late.text)) await late.until()
    for (const [attempt, waitMs] of waits.entries()) {
      if (this.#closed) break
      const sent = Date.now()
      delivery.attempts++
      const receipt = await this.#transport().send({ type: delivery.type, payload, attempt, reason }, waitMs)
      delivery.outcome = receipt.kind
      delivery.tookMs = performance.now() - began
      this.#changed()
      if (receipt.kind === 'swallowed') break
      if (receipt.kind === 'unacked') reason = receipt.reason
      else if (!this.#misbehave.losesAck(delivery.type)) return { acked: true, answer: receipt.answer }
      else {
        delivery.outcome = 'unacked'
        reason = 'timeout'
      }
      // The next delivery comes when this one's time is over, however early it failed.
      const rest = sent + waitMs - Date.now()
      if (rest > 0 && attempt < waits.length - 1) await new Promise((resolve) => setTimeout(resolve, rest).unref())
    }
    return { acked: false }
  }
}
