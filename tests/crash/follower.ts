import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '../../src/domain/events.ts'
import { readEvents } from '../support/client.ts'
import type { Keeper } from './keeper.ts'
import type { Ledger } from './ledger.ts'
import { aborted } from './sender.ts'

/** A screen that follows a conversation across restarts and knows what is unanswered. */
export class Follower {
  readonly #open = new Set<string>()
  readonly #left = new AbortController()
  #seen = 0
  #changed: PromiseWithResolvers<void> = Promise.withResolvers()

  readonly #conversation: string
  readonly #keeper: Keeper
  readonly #ledger: Ledger

  constructor(conversation: string, keeper: Keeper, ledger: Ledger) {
    this.#conversation = conversation
    this.#keeper = keeper
    this.#ledger = ledger
    void this.#follow()
  }

  /** Call it when a message of this conversation was acknowledged; it may have been answered already. */
  sent(token: string): void {
    if (!this.#answered.has(token)) this.#open.add(token)
  }

  /** Resolves when at most this many messages are unanswered, or when the screen was closed. */
  async until(open: number): Promise<void> {
    while (this.#open.size > open && !this.#left.signal.aborted) await this.#changed.promise
  }

  leave(): void {
    this.#left.abort()
    this.#changed.resolve()
  }

  readonly #answered = new Set<string>()

  async #follow(): Promise<void> {
    while (!this.#left.signal.aborted) {
      const { url, gone } = await this.#keeper.home()
      await Promise.race([
        this.#read(url, AbortSignal.any([gone, this.#left.signal])).catch(() => sleep(50)),
        aborted(gone),
      ])
    }
  }

  async #read(url: string, signal: AbortSignal): Promise<void> {
    const headers = { 'last-event-id': String(this.#seen) }
    const response = await fetch(`${url}/api/v1/agent/conversations/${this.#conversation}/stream`, { headers, signal })
    if (!response.ok) throw new Error(`${response.status}`)
    for await (const event of readEvents(response)) {
      if (signal.aborted) return
      // Streamed events are not stored.
      if (event.event_id === undefined) continue
      if (event.event_id !== this.#seen + 1) {
        this.#ledger.fault('stream', `${this.#conversation}: after ${this.#seen} came ${event.event_id}`)
      }
      this.#seen = event.event_id
      this.#ledger.saw(event)
      this.#note(event)
    }
  }

  #note(event: SessionEvent): void {
    const done = tokensDoneBy(event)
    for (const token of done) this.#answered.add(token)
    for (const token of done) this.#open.delete(token)
    if (event.type === 'stopped') this.#open.clear()
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

function tokensDoneBy({ type, data }: SessionEvent): string[] {
  if (type === 'question_answered') return data.answer.match(/tok-\d+-\d+r?/g) ?? []
  if (type !== 'message' || data.role !== 'assistant') return []
  return [...data.text.matchAll(/answer (tok-\d+-\d+r?)/g)].flatMap(([, token]) => token ?? [])
}
