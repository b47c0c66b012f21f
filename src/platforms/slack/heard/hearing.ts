import { setTimeout as sleep } from 'node:timers/promises'
import type { Heard, RemoteFile, ThreadRef } from '../../../domain/chat.ts'
import { Failure, sentencesOf } from '../../../kit/failure.ts'
import { asUnavailable } from '../../../kit/unavailable.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { InOrder } from '../../in-order.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { reasonIn } from '../api/errors.ts'
import type { SlackFile, SlackMessage } from '../api/payload.ts'
import { authorOf } from '../api/payload.ts'
import { rootOf } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { heardFrom, remoteFile } from './translate.ts'

export interface HearingDeps {
  slack: SlackWorkspace
  sink: InboundSink
  /** Says something to a person in a thread, once for each key. */
  tell(channel: string, thread: string, text: string, key: string): Promise<void>
  /** A message of ours came back. */
  onOwn(message: SlackMessage, channel: string): void
  /** Everything up to this message has been passed to the bot. */
  onHeard(message: SlackMessage, channel: string): void
  /** This message began a thread, and later ones have to be heard again. */
  onLate(thread: ThreadRef, message: string): void
  /** A message could not be stored for now. */
  onMissed(): void
}

/** What of a message says where it belongs. */
type Spoken = Parameters<typeof rootOf>[0] & Parameters<typeof authorOf>[0]

const mostTold = 2_000

/** A look-up that takes longer holds up its own thread only, ms. */
const channelMs = 1_000

/** Messages from people and bots; the rest is about joins, topics and the like. */
const spoken = new Set([undefined, 'bot_message', 'file_share', 'me_message', 'thread_broadcast'])

/**
 * Passes messages to the bot: those of a channel in order, and in a thread each one after the one before it is stored.
 */
export class Hearing {
  readonly #deps: HearingDeps
  readonly #channels = new InOrder()
  readonly #threads = new InOrder()
  readonly #told = new BoundedMap<true>(mostTold)

  constructor(deps: HearingDeps) {
    this.#deps = deps
  }

  /** Whether Slack recently sent the message by itself. */
  wasTold({ ts }: SlackMessage, channel: string): boolean {
    return this.#told.has(`${channel}:${ts}`)
  }

  /** Resolves when the message is stored, with whether it was new. `found`: in a history. */
  async hear(message: SlackMessage, channel: string, how: 'told' | 'found' = 'told'): Promise<boolean> {
    if (how === 'told') this.#told.set(`${channel}:${message.ts}`, true)
    const { slack, sink, onHeard, onOwn } = this.#deps
    if (authorOf(message, slack.me) === 'self') {
      onOwn(message, channel)
      return false
    }
    if (message.hidden || !spoken.has(message.subtype)) return false
    const result = await this.inOrder(message, channel, this.translate(message, channel), (heard) =>
      this.#said(heard, sink),
    )
    onHeard(message, channel)
    return result
  }

  /**
   * Runs `take` with what was made of an event, after those that came earlier in its channel, and once what they said
   * in this thread is stored. Names are looked up for all of them at once.
   */
  async inOrder<T, R>(
    message: Spoken,
    channel: string,
    translated: Promise<T>,
    take: (event: T) => Promise<R>,
  ): Promise<R> {
    translated.catch(() => {})
    await this.#channels.run(channel, () => Promise.race([translated, sleep(channelMs, undefined, { ref: false })]))
    return this.#threads.run(this.#keyOf(message, channel), async () => take(await translated))
  }

  /** How much other bots may say is counted for each channel. */
  #keyOf(message: Spoken, channel: string): string {
    return authorOf(message, this.#deps.slack.me) === 'bot' ? channel : `${channel}:${rootOf(message)}`
  }

  translate(message: SlackMessage, channel: string): Promise<Heard> {
    const { me, people } = this.#deps.slack
    return heardFrom(message, channel, me, people, (file) => this.#fileOf(file))
  }

  async #said(heard: Heard, sink: InboundSink): Promise<boolean> {
    const outcome = await this.orTold(heard, () => sink.hear(heard))
    if (outcome?.cameLate) this.#deps.onLate(heard.thread, heard.message)
    return outcome === undefined || outcome.kind === 'new'
  }

  /**
   * If a message or an edit will never be accepted, its sender is told, and this resolves with undefined; everything
   * else that goes wrong goes on to Slack, which sends it again.
   */
  async orTold<T>(heard: Heard, take: () => Promise<T>): Promise<T | undefined> {
    try {
      return await take()
    } catch (thrown) {
      if (asUnavailable(thrown) !== undefined) this.#deps.onMissed()
      if (!(thrown instanceof Failure)) throw thrown
      const { project, thread } = heard.thread
      await this.#deps.tell(project, thread, sentencesOf(thrown), heard.dedupKey)
      return undefined
    }
  }

  /** Slack Connect: the event contains nothing but the id. */
  async #fileOf(file: SlackFile): Promise<RemoteFile> {
    if (file.file_access !== 'check_file_info') return remoteFile(file)
    try {
      const { file: whole } = await this.#deps.slack.api.once((client) => client.files.info({ file: file.id }))
      return whole?.id === undefined ? remoteFile(file) : remoteFile({ ...file, ...known(whole) })
    } catch (thrown) {
      this.#deps.slack.log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'files.info failed')
      return remoteFile(file)
    }
  }
}

const known = ({ name, title, size, url_private, url_private_download }: Partial<Record<keyof SlackFile, unknown>>) => {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    name: text(name),
    title: text(title),
    size: typeof size === 'number' ? size : 0,
    url_private: text(url_private),
    url_private_download: text(url_private_download),
  }
}
