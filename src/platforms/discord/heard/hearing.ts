import { setTimeout as sleep } from 'node:timers/promises'
import type { Heard, ThreadRef } from '../../../domain/chat.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { InboundSink } from '../../platform.ts'
import { isSpoken, type Message } from '../api/payload.ts'
import type { Directory } from '../directory/directory.ts'
import type { Places } from '../directory/post-targets.ts'
import type { Echoes } from '../directory/seen-messages.ts'
import { threadOfMessage } from '../directory/thread-refs.ts'
import { changeOf, deletionOf } from './changes.ts'
import { toHeard } from './translate.ts'

interface InboundDeps {
  sink: InboundSink
  /** Keeps the place up to which everything was heard. */
  cursor: { begin(id: string): void; done(id: string): void }
  directory: Directory
  places: Places
  echoes: Echoes
  log: Log
  /** Tells the person why the message can not be taken. */
  refuse(heard: Heard, why: Failure): Promise<void>
  signal: AbortSignal
}

const longestWaitMs = 60_000

/** Brings messages to the sink: of one thread in their order, each again until it is stored. */
export class Inbound {
  readonly #deps: InboundDeps
  readonly #lanes = new Map<string, Promise<void>>()

  constructor(deps: InboundDeps) {
    this.#deps = deps
  }

  /** Resolves when it is stored, or is nothing for the sink. Never throws: the cursor stays before what was not stored. */
  async take(message: Message, guild: string | undefined): Promise<void> {
    const { cursor, directory, echoes } = this.#deps
    echoes.heard(message.channel_id, message.id)
    const isOurs = message.author.id === directory.self
    if (isOurs && message.nonce != null) echoes.own(String(message.nonce), message.id)
    if (isOurs || !isSpoken(message)) return cursor.done(message.id)

    cursor.begin(message.id)
    const thread = await this.#untilDone(message, () => threadOfMessage(message, guild, directory))
    if (thread === undefined) return
    await this.inOrder(thread, async () => {
      const stored = await this.#untilDone(message, async () => {
        await this.#hear(message, thread)
        return true
      })
      if (stored) cursor.done(message.id)
    })
  }

  /** What happens in one thread is told in its order, with the message that it was made of first. */
  inOrder({ thread }: ThreadRef, run: () => Promise<void>): Promise<void> {
    const lane = (this.#lanes.get(thread) ?? Promise.resolve()).then(run).catch((thrown: unknown) => {
      this.#deps.log.error({ thread, error: reasonOf(thrown) }, 'something from Discord was lost')
    })
    this.#lanes.set(thread, lane)
    return lane.finally(() => {
      if (this.#lanes.get(thread) === lane) this.#lanes.delete(thread)
    })
  }

  /** Resolves when nothing is on its way to the sink. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes.values())
  }

  /** Somebody changed what they had said. */
  async changed(message: Message): Promise<void> {
    const { sink, directory, places } = this.#deps
    const change = await changeOf(message, directory)
    if (message.id === change.thread.thread) places.heard(message.id, change.now?.text ?? '')
    await this.inOrder(change.thread, () => sink.change(change))
  }

  async deleted(where: { guild: string | undefined; channel: string; message: string }): Promise<void> {
    const { sink, directory } = this.#deps
    const change = await deletionOf(where, directory)
    await this.inOrder(change.thread, () => sink.change(change))
  }

  /** Undefined when the bot stops before. */
  async #untilDone<T>(message: Message, run: () => Promise<T>): Promise<T | undefined> {
    const { signal, log } = this.#deps
    for (let waitMs = 500; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        return await run()
      } catch (thrown) {
        log.error({ message: message.id, error: reasonOf(thrown) }, 'a message could not be stored; it is tried again')
        await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    return undefined
  }

  async #hear(message: Message, thread: ThreadRef): Promise<void> {
    const { sink, directory, places, refuse } = this.#deps
    const heard = toHeard(message, thread, directory)
    if (heard.message === thread.thread) places.heard(heard.message, heard.text)
    try {
      await sink.hear(heard)
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      await refuse(heard, thrown)
    }
  }
}
