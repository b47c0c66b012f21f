import {
  type APIChannel,
  type GatewayGuildCreateDispatchData,
  type GatewayGuildDeleteDispatchData,
  type GatewayReadyDispatchData,
  Routes,
} from 'discord.js'
import { directTenant, type ThreadRef } from '../../../domain/chat.ts'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { CatchUps } from '../../gaps/catch-ups.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import type { DiscordApi } from '../api/api.ts'
import { isAnswer } from '../api/errors.ts'
import { messagesAfter, pageSize } from '../api/messages.ts'
import { newestIn } from '../api/payload.ts'
import { byAge, firstIdAt, isNewer, timeOf } from '../api/snowflakes.ts'
import type { SeenMessages } from '../directory/seen-messages.ts'
import type { Hearing } from '../heard/hearing.ts'
import { hearEdits, lookAtRoot } from './changes.ts'
import type { Cursor } from './cursor.ts'
import { Shards } from './shards.ts'
import { archivedThreads, directMessages, type Written } from './unlisted.ts'

/** Ids of different channels aren't strictly in order: this much is read again, ms. */
const overlapMs = 5_000
const dayMs = 86_400_000
/** For one channel: the newest. */
const mostMessages = 1_000
/** With so many failures, more than a channel is broken. */
const mostFailures = 3
/** How many servers are asked whether they have something that we weren't sent. */
const mostServers = 50
/** As many of the latest direct messages are asked, too. After a gap it is all of them. */
const mostDirect = 50

interface ReadBackDeps {
  api: DiscordApi
  sink: InboundSink
  cursor: Cursor
  seen: SeenMessages
  hearing: Hearing
  mayRead(channel: string): boolean
  /** Threads of ours that Discord doesn't list (archived ones, direct messages) are checked if used so lately. */
  catchUpDays: number
  /** What couldn't be read is tried again after this long, ms. */
  againMs: number
  log: Log
  signal: AbortSignal
}

/** Reads what was said while we weren't listening: after a start, and after a session that couldn't be resumed. */
export class ReadBack {
  readonly #deps: ReadBackDeps
  /** The channels and active threads with messages, as listed for the session's servers. */
  readonly #channels = new Map<string, Written>()
  #reading: Promise<number> = Promise.resolve(0)
  /** The read that waits for the one under way. */
  #next: Promise<number> | undefined
  /** Another attempt at what couldn’t be read. */
  #again: NodeJS.Timeout | undefined
  /** Something may have been said that only reading back finds. */
  #isUnread = true
  #sessions = 0
  #gaps = 0
  /** What is said in servers that aren't there isn't sent to us; the cursor knows how far they were heard. */
  readonly #shards = new Shards()
  /** Threads that have been caught up with in this gap. */
  readonly #caughtUp = new CatchUps()

  constructor(deps: ReadBackDeps) {
    this.#deps = deps
  }

  /** The connection is lost: that of a shard, or all of it. */
  lost(shard?: number): void {
    if (this.#shards.lost(shard)) this.#open()
  }

  /** The session continues: what was said meanwhile has been sent. */
  resumed(shard: number): void {
    this.#shards.resumed(shard)
    if (!this.#shards.isReady) return
    if (this.#isUnread) void this.read()
    else this.#close()
  }

  /** A new session begins. */
  begin({ shard = [0, 1], guilds }: Pick<GatewayReadyDispatchData, 'shard' | 'guilds'>): void {
    this.#shards.begin(
      shard,
      guilds.map(({ id }) => id),
    )
    this.#sessions++
    this.#isUnread = true
    this.#open()
  }

  #open(): void {
    this.#gaps++
    this.#deps.cursor.hold()
  }

  #close(): void {
    this.#deps.cursor.release()
    this.#caughtUp.clear()
  }

  /** All servers of a new session are known, except for those that Discord doesn't send. */
  known(shard: number): Promise<number> {
    for (const server of this.#shards.known(shard)) this.#leave(server, shard)
    return this.read()
  }

  #leave(server: string, shard: number): void {
    this.#shards.leave(server, shard)
    this.#gaps++
    this.#deps.cursor.away(server)
  }

  #back(server: string): void {
    if (!this.#shards.back(server)) return
    this.#isUnread = true
    this.#open()
    void this.read()
  }

  /** A server is announced at the beginning of a session, when the bot joins it, and after an outage. */
  server(guild: GatewayGuildCreateDispatchData, shard: number): void {
    if (guild.unavailable === true) {
      this.#leave(guild.id, shard)
      return
    }
    for (const channel of [...(guild.channels ?? []), ...(guild.threads ?? [])]) this.#see(channel, guild.id)
    this.#back(guild.id)
  }

  /** A server has an outage, or the bot has left it. */
  gone({ id, unavailable }: GatewayGuildDeleteDispatchData, shard: number): void {
    if (unavailable === true) this.#leave(id, shard)
    else this.#back(id)
  }

  /** Everything since the cursor, from all channels with something new. Resolves with how much that was. */
  read(): Promise<number> {
    if (this.#next !== undefined) return this.#next
    this.#reading = this.#reading.then(() => {
      this.#next = undefined
      return this.#read(true)
    })
    this.#next = this.#reading
    return this.#next
  }

  /** One attempt at a time waits, however many reads failed. */
  #later(): void {
    const { signal, againMs } = this.#deps
    this.#again ??= setTimeout(() => {
      this.#again = undefined
      if (!signal.aborted) void this.read()
    }, againMs).unref()
  }

  /** Whether Discord has messages that we weren't sent. If so, they are heard. */
  async missing(guilds: string[]): Promise<boolean> {
    const { api } = this.#deps
    for (const guild of guilds.filter(this.#shards.isThere).slice(0, mostServers)) {
      for (const channel of await api.read<APIChannel[]>(Routes.guildChannels(guild))) this.#see(channel, guild)
      const { threads } = await api.read<{ threads: APIChannel[] }>(Routes.guildActiveThreads(guild))
      for (const thread of threads) this.#see(thread, guild)
    }
    this.#reading = this.#reading.then(() => this.#read(false))
    const found = await this.#reading
    if (found > 0) this.#deps.log.warn({ found }, 'Discord had messages that it hadn’t sent')
    return found > 0
  }

  /** After a gap, hears what was missed in this thread. Undefined if nothing can be missing. */
  catchUp(thread: ThreadRef): Promise<void> | undefined {
    if (!this.#deps.cursor.isOpen(thread.tenant)) return undefined
    return this.#caughtUp.run(this.#gaps, thread.thread, () => this.readThread(thread))
  }

  /** Hears what was said in this thread since the cursor, or changed. */
  async readThread(ref: ThreadRef): Promise<void> {
    const { tenant, project, thread } = ref
    const guild = tenant === directTenant ? undefined : tenant
    const since = this.#deps.cursor.since(guild)
    await this.#readChannel({ id: thread, guild }, since)
    if (project !== thread) await lookAtRoot(ref, this.#after(since), this.#deps)
  }

  #after(since: string): string {
    const { beginning } = this.#deps.cursor
    const after = firstIdAt(timeOf(since) - overlapMs)
    return isNewer(after, beginning) ? after : beginning
  }

  #see(channel: APIChannel, guild: string): void {
    const last = newestIn(channel)
    // A forum's last message is its last post, which is a thread and listed as such.
    if (last === undefined || 'available_tags' in channel) return
    this.#channels.set(channel.id, { id: channel.id, guild, last })
    this.#deps.seen.heard(channel.id, last)
  }

  async #read(withArchived: boolean): Promise<number> {
    const { cursor, log, signal } = this.#deps
    // A new session lists the channels, and what it doesn't send is read then.
    if (!this.#shards.isReady) return 0
    const session = this.#sessions
    const since = cursor.hold()
    const listed = [...this.#channels.values()]
    const behind = cursor.behind(this.#shards.isThere)
    this.#channels.clear()
    try {
      const found = await this.#readSince(since, listed, withArchived)
      // The next process, or the next session, reads what this one didn't get to.
      const isBroken = signal.aborted || !this.#shards.isReady || session !== this.#sessions
      if (isBroken || (found > 0 && !withArchived)) {
        this.#putBack(listed)
        return found
      }
      for (const { last } of listed) cursor.done(last)
      if (withArchived) {
        behind.caughtUp()
        this.#isUnread = cursor.behind(this.#shards.isThere).servers.length > 0
      }
      if (!this.#isUnread) this.#close()
      return found
    } catch (thrown) {
      // The cursor doesn't move: if we don't read it, the next start does.
      log.error({ error: reasonOf(thrown) }, 'what was missed on Discord could not be read')
      this.#putBack(listed)
      this.#later()
      return 0
    }
  }

  #putBack(listed: Written[]): void {
    for (const channel of listed) if (!this.#channels.has(channel.id)) this.#channels.set(channel.id, channel)
  }

  async #readSince(since: string, listed: Written[], withArchived: boolean): Promise<number> {
    const { api, sink, cursor, mayRead, catchUpDays, signal } = this.#deps
    const session = this.#sessions
    const goesOn = () => !signal.aborted && session === this.#sessions
    const { servers } = cursor.behind(this.#shards.isThere)
    const earliest = [undefined, ...servers].map((server) => cursor.since(server, since)).toSorted(byAge)[0] as string
    const from = timeOf(this.#after(earliest))
    const ours = await sink.threads(from - catchUpDays * dayMs)
    const listedIds = new Set(listed.map(({ id }) => id))
    const unlisted = ours.filter(({ thread, tenant }) => !listedIds.has(thread) && this.#shards.isThere(tenant))
    const here = listed.filter(({ id, guild }) => mayRead(id) && this.#shards.isThere(guild ?? ''))
    // What has to be asked for, one at a time, comes last: it may take long.
    const places = [
      async () => here,
      ...directMessages(api, unlisted).slice(0, withArchived ? undefined : mostDirect),
      ...(withArchived ? archivedThreads(api, unlisted, { since: from, goesOn }) : []),
    ]
    const failures: unknown[] = []
    const attempt = async <T>(run: () => Promise<T>, otherwise: T): Promise<T> => {
      if (!goesOn()) return otherwise
      try {
        return await run()
      } catch (thrown) {
        // One channel that Discord fails to show holds up no other one.
        if (!isAnswer(thrown) || failures.push(thrown) === mostFailures) throw thrown
        return otherwise
      }
    }
    let found = 0
    for (const place of places)
      for (const channel of await attempt(place, [])) found += await attempt(() => this.#readNew(channel, since), 0)
    if (failures.length > 0) throw failures[0]
    return found
  }

  async #readNew(channel: Written, since: string): Promise<number> {
    const from = this.#deps.cursor.since(channel.guild, since)
    return isNewer(channel.last, this.#after(from)) ? await this.#readChannel(channel, from) : 0
  }

  async #readChannel({ id, guild }: Pick<Written, 'id' | 'guild'>, since: string): Promise<number> {
    const { api, hearing, signal, log } = this.#deps
    const after = this.#after(since)
    const { found: messages, earlier } = await messagesAfter(api, id, after, { most: mostMessages, signal })
    if (messages.length >= mostMessages)
      log.warn({ channel: id, read: messages.length }, 'more was missed in this channel than is read back')
    for (let from = 0; from < messages.length && !signal.aborted; from += pageSize)
      await Promise.all(messages.slice(from, from + pageSize).map((message) => hearing.take(message, guild)))
    if (!signal.aborted) await hearEdits([...earlier, ...messages], { guild, after }, { hearing })
    return messages.filter((message) => isNewer(message.id, since)).length
  }
}
