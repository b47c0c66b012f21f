import { type APIMessage, type APIThreadChannel, Routes, ThreadAutoArchiveDuration } from 'discord.js'
import { directTenant, type ThreadRef } from '../../../domain/chat.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { NotPosted } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { Code, codeOf, toNotPosted } from '../api/errors.ts'
import { discordWords } from '../words/words.ts'
import type { Directory } from './directory.ts'
import type { SeenMessages } from './seen-messages.ts'
import { isOfName, nameFor, unnamed } from './thread-name.ts'

/** Where messages of a thread are posted. */
export interface PostTarget {
  channel: string
  /** Without a thread: the message that each answer replies to. */
  replyTo: string | undefined
}

/** Refusals to make a thread that another attempt would not change: then we reply instead. */
const noThreadHere = new Set<number>([
  Code.MissingPermissions,
  Code.CannotExecuteActionOnThisChannelType,
  Code.MaximumActiveThreads,
  Code.MaximumActiveAnnouncementThreads,
  Code.TitleWasBlockedByAutomaticModeration,
])

/** Finds and makes the threads that the bot answers in. */
export class PostTargets {
  readonly #api: DiscordApi
  readonly #directory: Directory
  readonly #seen: SeenMessages
  /** What to call a thread of ours, given its first message; this also shows that the message is one. */
  readonly #names = new BoundedMap<string>(2_000)
  /** Messages that can't begin a thread. */
  readonly #withoutThread = new BoundedMap<true>(2_000)
  /** Threads that somebody has deleted. What they began with may still be there. */
  readonly #deleted = new BoundedMap<true>(2_000)
  readonly #beingMade = new Map<string, Promise<PostTarget>>()
  readonly #textOf: (message: APIMessage, thread: ThreadRef) => string

  /** `textOf`: a message as people read it. */
  constructor(
    api: DiscordApi,
    directory: Directory,
    seen: SeenMessages,
    textOf: (message: APIMessage, thread: ThreadRef) => string,
  ) {
    this.#textOf = textOf
    this.#api = api
    this.#directory = directory
    this.#seen = seen
  }

  /** A message in a channel that can begin a thread. */
  heard(message: string, text: string): void {
    this.#names.set(message, nameFor(text))
  }

  /** Somebody deleted the thread, so it isn't made again. */
  deleted(thread: string): void {
    this.#directory.forget(thread)
    this.#deleted.set(thread, true)
  }

  /** Where something from this thread may already be. Undefined if nowhere. */
  async existing(thread: ThreadRef): Promise<PostTarget | undefined> {
    if (thread.tenant === directTenant) return inThread(thread.thread)
    if (this.#withoutThread.get(thread.thread)) return inChannel(thread)
    const room = await this.#directory.room(thread.thread)
    return room === undefined ? undefined : inThread(thread.thread)
  }

  /** Where to post; makes the thread if there is none. Throws NotPosted if that isn't possible, or as writes do. */
  of(thread: ThreadRef): Promise<PostTarget> | PostTarget {
    const isPlace = thread.tenant === directTenant || thread.thread === thread.project
    if (isPlace || this.#directory.known(thread.thread)?.kind === 'thread') {
      // Somebody may have made it again since.
      this.#deleted.delete(thread.thread)
      return inThread(thread.thread)
    }
    if (this.#deleted.has(thread.thread)) throw new NotPosted('never', discordWords.placeGone(), { gone: true })
    if (this.#withoutThread.get(thread.thread)) return inChannel(thread)
    const making = this.#beingMade.get(thread.thread) ?? this.#open(thread)
    this.#beingMade.set(thread.thread, making)
    return making.finally(() => this.#beingMade.delete(thread.thread))
  }

  /** Where people look before anything is posted. */
  nearest(thread: ThreadRef): string {
    const isThere = thread.tenant === directTenant || this.#directory.known(thread.thread)?.kind === 'thread'
    return isThere ? thread.thread : thread.project
  }

  async #open(thread: ThreadRef): Promise<PostTarget> {
    try {
      const isRoot = this.#names.get(thread.thread) !== undefined
      if (!isRoot && (await this.#directory.room(thread.thread)) !== undefined) return inThread(thread.thread)
      return await this.#make(thread)
    } catch (thrown) {
      const code = codeOf(thrown)
      // Somebody was faster: a message has only one thread, whoever makes it.
      if (code === Code.ThreadAlreadyCreatedForMessage) return inThread(thread.thread)
      if (code !== undefined && noThreadHere.has(code)) {
        this.#withoutThread.set(thread.thread, true)
        return inChannel(thread)
      }
      const failure = toNotPosted(thrown, (refused) =>
        refused === Code.UnknownMessage ? { why: discordWords.messageGone(), gone: true } : undefined,
      )
      if (failure instanceof NotPosted) throw failure
      throw new NotPosted('later', discordWords.threadNotMade(), { cause: thrown, afterMs: 1_000 })
    }
  }

  async #make(ref: ThreadRef): Promise<PostTarget> {
    const name = this.#names.get(ref.thread) ?? (await this.#readName(ref))
    const made = await this.#write(ref, name).catch((thrown: unknown) => {
      if (name === unnamed || !isOfName(thrown)) throw thrown
      return this.#write(ref, unnamed)
    })
    this.#directory.remember({ id: made.id, kind: 'thread', parent: ref.project, name: made.name })
    this.#seen.heard(made.id, made.id)
    return inThread(made.id)
  }

  #write({ project, thread }: ThreadRef, name: string): Promise<APIThreadChannel> {
    const call = { bucket: 'threads', channel: project, priority: 'card' } as const
    const body = { name, auto_archive_duration: ThreadAutoArchiveDuration.OneDay }
    return this.#api.write<APIThreadChannel>(call, { method: 'POST', route: Routes.threads(project, thread), body })
  }

  /** Another process has heard the message, or an earlier life of this one. */
  async #readName(ref: ThreadRef): Promise<string> {
    try {
      const message = await this.#api.read<APIMessage>(Routes.channelMessage(ref.project, ref.thread))
      return nameFor(this.#textOf(message, ref))
    } catch {
      return unnamed
    }
  }
}

const inThread = (channel: string): PostTarget => ({ channel, replyTo: undefined })
const inChannel = ({ project, thread }: ThreadRef): PostTarget => ({ channel: project, replyTo: thread })
