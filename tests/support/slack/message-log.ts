import type { Message } from './types.ts'

const most = 20_000

/** The messages of a channel, oldest first; ephemeral ones are not among them. */
export class MessageLog {
  readonly #byTs = new Map<string, Message>()
  readonly #replies = new Map<string, Set<Message>>()

  get(ts: string): Message | undefined {
    return this.#byTs.get(ts)
  }

  add(message: Message) {
    this.#byTs.set(message.ts, message)
    const { threadTs } = message
    if (threadTs !== undefined && threadTs !== message.ts) {
      const replies = this.#replies.get(threadTs) ?? new Set()
      this.#replies.set(threadTs, replies.add(message))
    }
    for (const oldest of this.#byTs.values()) {
      if (this.#byTs.size <= most) break
      this.delete(oldest)
    }
  }

  delete(message: Message) {
    this.#byTs.delete(message.ts)
    this.#replies.get(message.threadTs ?? '')?.delete(message)
  }

  /** The replies to a root, without deleted ones. */
  replies(ts: string): Message[] {
    return [...(this.#replies.get(ts) ?? [])].filter(({ deleted }) => !deleted)
  }

  all(): Message[] {
    return [...this.#byTs.values()]
  }

  /** The messages in the channel itself: roots, and replies that were also sent there. */
  top(): Message[] {
    return this.all().filter(({ ts, threadTs, broadcast }) => broadcast || threadTs === undefined || threadTs === ts)
  }
}
