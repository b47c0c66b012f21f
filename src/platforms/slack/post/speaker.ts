import { BoundedMap } from '../../bounded-map.ts'
import { reasonIn } from '../api/errors.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { textBlocks } from '../pages/blocks.ts'
import { notificationOf } from '../pages/remarks.ts'
import { escapeText } from '../text/escape.ts'
import { firstMessage } from '../text/slack-messages.ts'

export interface Where {
  channel: string
  thread?: string | undefined
}

interface Spoken {
  text: string
  blocks?: ReturnType<typeof textBlocks>
}

/** Markdown as a message, with the text for notifications. */
export const spoken = (markdown: string): Required<Spoken> => ({
  text: notificationOf(markdown),
  blocks: textBlocks(firstMessage(markdown)),
})

/** Messages without a turn: why something couldn't be accepted. Lost if Slack doesn't accept them. */
export class Speaker {
  readonly #slack: SlackWorkspace
  readonly #told = new BoundedMap<true>(1_000)

  constructor(slack: SlackWorkspace) {
    this.#slack = slack
  }

  /** Says it to everybody in the thread, once for each key. */
  async tell(channel: string, thread: string, text: string, key: string): Promise<void> {
    if (this.#told.has(key)) return
    this.#told.set(key, true)
    const call = { bucket: 'chat.postMessage', channel, priority: 'card' } as const
    await this.#try(() =>
      this.#slack.api.write(call, (client) =>
        client.chat.postMessage({ channel, thread_ts: thread, text: escapeText(text), unfurl_links: false }),
      ),
    )
  }

  /** Says it to one person only, word for word. */
  whisper(user: string, where: Where, text: string): Promise<void> {
    return this.#ephemeral(user, where, { text: escapeText(text) })
  }

  /** The same with Markdown: the reply to a command. */
  whisperMarkdown(user: string, where: Where, markdown: string): Promise<void> {
    return this.#ephemeral(user, where, spoken(markdown))
  }

  async #ephemeral(user: string, { channel, thread }: Where, words: Spoken): Promise<void> {
    const call = { bucket: 'chat.postEphemeral', channel, priority: 'card' } as const
    const inThread = thread === undefined ? {} : { thread_ts: thread }
    await this.#try(() =>
      this.#slack.api.write(call, (client) => client.chat.postEphemeral({ channel, user, ...words, ...inThread })),
    )
  }

  async #try(speak: () => Promise<unknown>): Promise<void> {
    try {
      await speak()
    } catch (thrown) {
      this.#slack.log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'a message to a person could not be posted')
    }
  }
}
