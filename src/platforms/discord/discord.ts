import type { Heard, RemoteFile, ThreadRef } from '../../domain/chat.ts'
import type { InboundSink } from '../inbound-sink.ts'
import {
  type ChatPlatform,
  type Content,
  type Health,
  type LiveOptions,
  type LiveReply,
  NotPosted,
  type PlatformDeps,
  type Posting,
} from '../platform.ts'
import { ofToken } from './api/refusals.ts'
import type { DiscordSettings } from './api/rest.ts'
import { firstIdAt, isNewer } from './api/snowflakes.ts'
import { elsewhere } from './directory/elsewhere.ts'
import { hasRole } from './directory/groups.ts'
import { linkTo } from './directory/links.ts'
import { messageIn } from './directory/named-message.ts'
import { platformName } from './directory/thread-refs.ts'
import { download } from './files/download.ts'
import { historyOf } from './gaps/thread-history.ts'
import { DiscordLiveReply } from './live/live-reply.ts'
import { asPage } from './pages/page.ts'
import { pagesOf } from './pages/pages.ts'
import { findPosted } from './post/find.ts'
import { editPage, postPage, removeMessage } from './post/message.ts'
import { renameThread } from './post/rename.ts'
import { type BuiltWith, createParts, type Parts, type Running, receiving } from './run.ts'
import { type Timing, usualTiming } from './timing.ts'
import { discordWords } from './words/words.ts'

export type { DiscordSettings } from './api/rest.ts'

/** Discord as a chat platform: servers, their channels and threads, and direct messages. */
export function discordPlatform(
  settings: DiscordSettings,
  deps: PlatformDeps,
  timing: Timing = usualTiming,
): ChatPlatform {
  return new DiscordPlatform({ settings, deps, timing })
}

class DiscordPlatform implements ChatPlatform {
  readonly name = platformName
  readonly progress = 'posted'
  readonly #built: BuiltWith
  readonly #parts: Parts
  readonly #stopping = new AbortController()
  #running: Running | undefined
  /** Undefined once it is known whether something may have been missed. */
  #starting: PromiseWithResolvers<void> | undefined = Promise.withResolvers()

  constructor(built: BuiltWith) {
    this.#built = built
    this.#parts = createParts(built, () => this.#running?.connection.client)
  }

  async start(sink: InboundSink): Promise<void> {
    this.#running = receiving(this.#built, this.#parts, sink, this.#stopping.signal)
    const { connection } = this.#running
    const { duty } = this.#parts
    if (duty === undefined) return this.#receive(() => connection.start())
    let connect = () => connection.start()
    await duty.take({
      begin: () => this.#receive(connect),
      end: async () => {
        await connection.stop()
        await this.#parts.cursor.flush()
      },
    })
    this.#hasStarted()
    // By then the bot works, with or without Discord.
    connect = async () => connection.begin()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#parts.duty?.leave()
    await this.#running?.connection.stop()
    // What waits for room is given back. Somebody who can't be told yet why a message isn't accepted is told later.
    await Promise.all([this.#running?.hearing.idle(), this.#parts.api.stop()])
    await this.#parts.cursor.flush()
  }

  health(): Health {
    if (this.#parts.api.lockedOut) {
      return { ok: false, detail: discordWords.tokenRevoked(), remedy: `${ofToken().remedy}.` }
    }
    if (this.#running === undefined) return { ok: false, detail: discordWords.notStarted() }
    const { duty } = this.#parts
    if (duty === undefined || duty.heldBy?.isHere) return this.#running.connection.health()
    if (duty.heldBy === undefined) return { ok: false, detail: discordWords.noneConnected() }
    return { ok: true, detail: discordWords.nodeConnected({ node: duty.heldBy.node }) }
  }

  pages(content: Content): unknown[] {
    return pagesOf(content, this.#built.deps.show.mostMessages)
  }

  async post(thread: ThreadRef, page: unknown, posting: Posting): Promise<string> {
    await this.#knowOurselves()
    return postPage(this.#parts, thread, asPage(page), posting)
  }

  async find(_thread: ThreadRef, posting: Posting): Promise<string | undefined> {
    await this.#knowOurselves()
    return findPosted(this.#parts, posting)
  }

  async edit(thread: ThreadRef, id: string, page: unknown, postpone?: Posting['postpone']): Promise<void> {
    await editPage(this.#parts, await this.#channelOf(thread), id, asPage(page), postpone)
  }

  async remove(thread: ThreadRef, id: string): Promise<void> {
    await removeMessage(this.#parts, await this.#channelOf(thread), id)
  }

  rename(thread: ThreadRef, title: string): Promise<void> {
    return renameThread({ ...this.#parts, log: this.#built.deps.log }, thread, title)
  }

  live(thread: ThreadRef, options: LiveOptions): LiveReply {
    const { show, log } = this.#built.deps
    const knowOurselves = () => this.#knowOurselves()
    return new DiscordLiveReply({ ...this.#parts, knowOurselves, show, log }, thread, options)
  }

  elsewhere(thread: ThreadRef, person: string): Promise<ThreadRef[]> {
    return elsewhere(this.#parts.api, thread, person)
  }

  isLater = isNewer

  catchUp(thread: ThreadRef): Promise<void> | undefined {
    const { duty, cursor } = this.#parts
    const readBack = this.#running?.readBack
    if (this.#starting !== undefined) return this.#starting.promise.then(() => this.catchUp(thread))
    if (readBack === undefined || duty === undefined || duty.heldBy?.isHere) return readBack?.catchUp(thread)
    if (duty.heldBy?.isSettled && !duty.heldBy.except.includes(thread.tenant)) return undefined
    return cursor.follow().then(() => readBack.readThread(thread))
  }

  async history(thread: ThreadRef, before: string, limit: number): Promise<Heard[]> {
    await this.#knowOurselves()
    return historyOf(this.#parts, thread, before, limit)
  }

  link(thread: ThreadRef, message?: string): string {
    return linkTo(thread, message, this.#parts.directory)
  }

  messageIn = messageIn

  download(file: RemoteFile): Promise<ReadableStream<Uint8Array>> {
    return download(file, { api: this.#parts.api, apiUrl: this.#built.settings.apiUrl })
  }

  isMember(thread: ThreadRef, person: string, group: string): Promise<boolean> {
    return hasRole(this.#parts.api, thread, person, group)
  }

  /** From where somebody left off. */
  async #receive(connect: () => Promise<void>): Promise<void> {
    const { cursor, duty } = this.#parts
    if ((await cursor.load()) === undefined) await cursor.first(firstIdAt(this.#built.deps.clock.now()))
    cursor.hold()
    duty?.settled(false)
    if (duty !== undefined) await cursor.follow()
    this.#hasStarted()
    await connect()
  }

  #hasStarted(): void {
    this.#starting?.resolve()
    this.#starting = undefined
  }

  /** Messages of ours are recognised by our id: without it, nothing is posted or looked for. */
  async #knowOurselves(): Promise<void> {
    if (this.#running === undefined) throw new NotPosted('later', discordWords.stillConnecting(), { afterMs: 1_000 })
    await this.#parts.directory.learnSelf().catch((thrown: unknown) => {
      throw new NotPosted('later', discordWords.discordUnreachable(), { cause: thrown, afterMs: 1_000 })
    })
  }

  /** Where a message of this thread is. */
  async #channelOf(thread: ThreadRef): Promise<string> {
    await this.#knowOurselves()
    return (await this.#parts.targets.existing(thread))?.channel ?? thread.project
  }
}
