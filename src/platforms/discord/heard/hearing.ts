import { setTimeout as sleep } from 'node:timers/promises'
import { ChannelType, type GatewayThreadDeleteDispatchData, MessageType } from 'discord.js'
import type { Change, Heard, ThreadRef } from '../../../domain/chat.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { InOrder } from '../../in-order.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { isSpoken, type Message } from '../api/payload.ts'
import type { Directory } from '../directory/directory.ts'
import type { PostTargets } from '../directory/post-targets.ts'
import type { SeenMessages } from '../directory/seen-messages.ts'
import { platformName, threadOfMessage } from '../directory/thread-refs.ts'
import { changeOf, deletionOf, isEdit } from './changes.ts'
import { toHeard } from './translate.ts'

interface HearingDeps {
  sink: InboundSink
  /** Keeps the position up to which everything was heard. */
  cursor: { begin(id: string): void; done(id: string): void }
  directory: Directory
  targets: PostTargets
  seen: SeenMessages
  log: Log
  /** Tells the person why the message can't be accepted. */
  refuse(heard: Heard, why: Failure): Promise<void>
  signal: AbortSignal
}

/** Discord says in the thread that somebody gave it another name. */
const isRename = ({ type }: Message): boolean => type === MessageType.ChannelNameChange

/** The first message of a forum's post has its thread's id too, but the thread is there already. */
const beginsThread = ({ id, channel_id }: Message, { thread }: ThreadRef): boolean =>
  id === thread && channel_id !== thread

const longestWaitMs = 60_000

/** Passes messages to the sink: those of one thread in order, each again until it is stored. */
export class Hearing {
  readonly #deps: HearingDeps
  readonly #threads = new InOrder()
  /** How much other bots may say is counted for each channel, so they are heard there one after another. */
  readonly #bots = new InOrder()

  constructor(deps: HearingDeps) {
    this.#deps = deps
  }

  /**
   * Resolves when it is stored, or isn't for the sink. Never throws: the cursor stays before whatever wasn't stored.
   */
  async take(message: Message, guild: string | undefined): Promise<void> {
    const { cursor, directory, seen } = this.#deps
    seen.heard(message.channel_id, message.id)
    cursor.begin(message.id)
    const self = await this.#untilDone(message, () => directory.learnSelf())
    if (self === undefined) return
    const isOurs = message.author.id === self
    if (isOurs && message.nonce != null) seen.own(String(message.nonce), message.id)
    if (isOurs || !(isSpoken(message) || isRename(message))) return cursor.done(message.id)

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

  /**
   * What happens in a thread is passed on in order, beginning with the message that the thread was made from. Never
   * throws.
   */
  inOrder({ thread }: ThreadRef, run: () => Promise<void>): Promise<void> {
    return this.#threads.run(thread, run).catch((thrown: unknown) => {
      this.#deps.log.error({ thread, error: reasonOf(thrown) }, 'something from Discord was lost')
    })
  }

  /** Resolves when nothing is on its way to the sink. */
  idle(): Promise<void> {
    return this.#threads.idle()
  }

  /** Somebody edited what they had said. */
  async changed(message: Message, guild: string | undefined): Promise<void> {
    const { directory, targets } = this.#deps
    const self = await this.#untilDone(message, () => directory.learnSelf())
    if (self === undefined || !isEdit(message, self)) return
    const change = await this.#untilDone(message, () => changeOf(message, guild, directory))
    if (change === undefined) return
    if (beginsThread(message, change.thread)) targets.heard(message.id, change.now?.text ?? '')
    await this.#change(message, change)
  }

  async deleted(where: { guild: string | undefined; channel: string; message: string }): Promise<void> {
    const gone = { id: where.message }
    const change = await this.#untilDone(gone, () => deletionOf(where, this.#deps.directory))
    if (change !== undefined) await this.#change(gone, change)
  }

  /** Somebody deleted a thread. */
  async threadDeleted({ id, guild_id: tenant, parent_id: parent, type }: GatewayThreadDeleteDispatchData) {
    this.#deps.targets.deleted(id)
    const project = (type === ChannelType.PrivateThread ? undefined : parent) ?? id
    const thread = { platform: platformName, tenant, project, thread: id }
    await this.untilStored({ id }, () => this.#deps.sink.threadDeleted(thread))
  }

  #change(message: Pick<Message, 'id'>, change: Change): Promise<void> {
    return this.inOrder(change.thread, async () => {
      await this.#untilDone(message, () => this.#orTold(change.now, () => this.#deps.sink.change(change)))
    })
  }

  /** Passes on what isn't said in a thread, such as a reaction to this message. Never throws. */
  async untilStored(message: Pick<Message, 'id'>, take: () => Promise<void>): Promise<void> {
    await this.#untilDone(message, () => this.#orTold(undefined, take))
  }

  /** Undefined if the bot stops first. */
  async #untilDone<T>(message: Pick<Message, 'id'>, run: () => Promise<T>): Promise<T | undefined> {
    const { signal, log } = this.#deps
    for (let waitMs = 500; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        return await run()
      } catch (thrown) {
        log.error(
          { message: message.id, error: reasonOf(thrown) },
          'something from Discord could not be stored; it is tried again',
        )
        await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    return undefined
  }

  async #hear(message: Message, thread: ThreadRef): Promise<void> {
    const { sink, directory, targets } = this.#deps
    if (isRename(message)) return sink.renamed(thread, message.content)
    const heard = toHeard(message, thread, directory)
    if (beginsThread(message, thread)) targets.heard(heard.message, heard.text)
    await this.#orTold(heard, () => sink.hear(heard))
  }

  /** What would fail again isn't tried again: whoever said or edited it is told. */
  async #orTold(heard: Heard | undefined, take: () => Promise<unknown>): Promise<void> {
    const { refuse, log } = this.#deps
    try {
      await (heard?.author === 'bot' ? this.#bots.run(heard.thread.project, take) : take())
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      if (heard !== undefined) await refuse(heard, thrown)
      else log.error({ error: reasonOf(thrown) }, 'something from Discord was lost')
    }
  }
}
