import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../../../domain/chat.ts'
import type { LiveOptions, LiveReply, ShowSettings } from '../../platform.ts'
import { type LiveDeps, LiveMessage } from './live-message.ts'
import { SlackLiveReply } from './live-reply.ts'

/** How long a stopping bot waits for Slack, ms. */
const patienceMs = 2_000

/** The messages of all turns that are shown now. */
export class Lives {
  readonly #deps: LiveDeps
  readonly #settings: ShowSettings
  readonly #onEnd: () => void
  readonly #open = new Set<SlackLiveReply>()

  /** `onEnd` is called when one of them ends. */
  constructor(deps: LiveDeps, settings: ShowSettings, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#deps = deps
    this.#settings = settings
  }

  open(thread: ThreadRef, options: LiveOptions): LiveReply {
    const { slack } = this.#deps.mailer
    const message = new LiveMessage(this.#deps, thread, options)
    const reply = new SlackLiveReply(slack, message, this.#settings, () => {
      this.#open.delete(reply)
      this.#onEnd()
    })
    this.#open.add(reply)
    return reply
  }

  /** No stream is left open: Slack would mark it as broken, and the next process continues by edits anyway. */
  async stop(): Promise<void> {
    const stopped = Promise.all([...this.#open].map((reply) => reply.interrupt()))
    await Promise.race([stopped, sleep(patienceMs, undefined, { ref: false })])
  }
}
