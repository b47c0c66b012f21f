import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../../../domain/chat.ts'
import type { InboundSink } from '../../platform.ts'
import { isCode, reasonIn } from '../errors.ts'
import type { Hearing } from '../heard/hearing.ts'
import { messages, type SlackMessage } from '../heard/payload.ts'
import { msOf, refOf } from '../heard/translate.ts'
import { threadMessages } from '../post/find.ts'
import type { Workspace } from '../workspace.ts'
import type { Cursor } from './cursor.ts'

export interface ReadBackDeps {
  slack: Workspace
  sink: InboundSink
  hearing: Hearing
  cursor: Cursor
  /** What is younger may still be on its way, ms. */
  lateMs: number
  /** Between two questions to Slack, once there were many, ms. */
  gentleMs: number
  /** What could not be stored is read back after so long, ms. */
  againMs: number
}

/** Slack may bring things late and out of order: what is heard twice changes nothing, ms. */
const overlapMs = 10 * 60_000
/** Nobody wants an answer to what was asked longer ago, ms. */
const mostBackMs = 24 * 60 * 60_000
/** Threads where something happened lately are read even if their first message is old, ms. */
const activeMs = 7 * 24 * 60 * 60_000

const mostChannels = 300
const mostThreads = 200
/** Pages of 100 messages in each channel. */
const mostPages = 5
const quickCalls = 30
/** A look at what is most likely to have gone on: so much, of what was used so lately; ms. */
const nearChannels = 8
const nearThreads = 6
const nearMs = 24 * 60 * 60_000
const nearOverlapMs = 60_000

const notOurs = ['channel_not_found', 'is_archived', 'missing_scope', 'not_in_channel', 'thread_not_found']

/** After a gap, what was said meanwhile is read from Slack's history, and heard as if it had come by itself. */
export class ReadBack {
  readonly #deps: ReadBackDeps
  #last: Promise<void> = Promise.resolve()
  #again: NodeJS.Timeout | undefined
  #stopped = false
  #calls = 0
  /** All channels, as they were last listed. */
  #known: string[] = []
  /** Where the next look into channels without threads of ours begins. */
  #turn = 0
  /** Found so early that they might still have come by themselves, with their channels. */
  readonly #young = new Map<SlackMessage, string>()
  /** Threads that were caught up with in this gap. */
  #caughtUp = new Map<string, Promise<void>>()

  constructor(deps: ReadBackDeps) {
    this.#deps = deps
  }

  /** Resolves with whether something was there that ought to have come by itself. One at a time. */
  run(): Promise<boolean> {
    return this.#inTurn(() => this.#run())
  }

  /** The same for a few channels and threads: those where something happened last, and some of the others in turn. */
  look(): Promise<boolean> {
    return this.#inTurn(() => this.#look())
  }

  /** After a gap, hears what was missed in this thread. Undefined when nothing can be missing. */
  catchUp(thread: ThreadRef): Promise<void> | undefined {
    const { cursor } = this.#deps
    if (!cursor.isHeld) return undefined
    const key = `${cursor.gaps}:${thread.project}:${thread.thread}`
    const catching = this.#caughtUp.get(key) ?? this.#catchUp(thread)
    this.#caughtUp.set(key, catching)
    return catching
  }

  #inTurn(read: () => Promise<boolean>): Promise<boolean> {
    const result = this.#last.then(read)
    this.#last = result.then(
      () => {},
      () => {},
    )
    return result
  }

  /** Something could not be stored, such as on a full disk. Slack brings it again for some minutes only: it is read back. */
  later(): void {
    this.#deps.cursor.hold()
    if (this.#stopped) return
    this.#again ??= setTimeout(() => {
      this.#again = undefined
      this.run().catch(() => this.later())
    }, this.#deps.againMs).unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#again)
    await this.#last
  }

  async #run(): Promise<boolean> {
    const { slack, cursor } = this.#deps
    const { gaps } = cursor
    const startedAt = slack.clock.now()
    const from = await this.#from(overlapMs)
    this.#calls = 0
    let missed = false
    for await (const { channel, found } of this.#found(from)) {
      if (this.#stopped) return missed
      missed = (await this.#hear(channel, found, startedAt)) || missed
    }
    if (this.#stopped) return missed
    cursor.release(startedAt, gaps)
    if (!cursor.isHeld) this.#caughtUp.clear()
    return missed
  }

  async #look(): Promise<boolean> {
    const { slack, sink } = this.#deps
    const startedAt = slack.clock.now()
    const from = await this.#from(nearOverlapMs)
    this.#calls = 0
    const active = (await sink.threads(startedAt - nearMs)).filter(({ tenant }) => tenant === slack.me.team)
    if (this.#known.length === 0) this.#known = await this.#channels()
    const used = [...new Set(active.map(({ project }) => project))].slice(0, nearChannels - 1)
    const threads = active.slice(0, nearThreads)
    let missed = false
    for (const channel of [...used, ...this.#inRotation(used, nearChannels - used.length)]) {
      if (this.#stopped) return missed
      const own = threads.filter(({ project }) => project === channel).map(({ thread }) => thread)
      missed = (await this.#hear(channel, await this.#inChannel(channel, own, from), startedAt)) || missed
    }
    return missed
  }

  #inRotation(used: string[], count: number): string[] {
    const others = this.#known.filter((channel) => !used.includes(channel))
    const from = others.length === 0 ? 0 : this.#turn % others.length
    this.#turn += count
    return [...others.slice(from), ...others.slice(0, from)].slice(0, count)
  }

  async #catchUp(thread: ThreadRef): Promise<void> {
    const { slack } = this.#deps
    const from = await this.#from(overlapMs)
    const found = (await this.#inThread(thread, from)).filter(({ ts }) => msOf(ts) > from)
    await this.#hear(thread.project, found, slack.clock.now())
  }

  /** From when on something may be missing, ms. */
  async #from(overlap: number): Promise<number> {
    const { slack, cursor } = this.#deps
    const now = slack.clock.now()
    return Math.max(((await cursor.read()) ?? now) - overlap, now - mostBackMs, await cursor.beginning())
  }

  /** In the order in which it was said; whether some of it ought to have come by itself. */
  async #hear(channel: string, found: SlackMessage[], startedAt: number): Promise<boolean> {
    const { hearing, cursor, lateMs } = this.#deps
    const tooOld = ({ ts }: SlackMessage) => msOf(ts) < startedAt - lateMs
    let missed = false
    for (const message of found.toSorted((a, b) => Number(a.ts) - Number(b.ts))) {
      const isNew = await hearing.hear(message, channel, 'found')
      if (isNew && !tooOld(message) && !cursor.isHeld) this.#young.set(message, channel)
      missed ||= isNew && tooOld(message)
    }
    for (const [message, where] of this.#young) {
      if (!tooOld(message)) continue
      this.#young.delete(message)
      missed ||= !hearing.wasTold(message, where)
    }
    return missed
  }

  /** Channel by channel, those where the bot talks first. */
  async *#found(from: number): AsyncGenerator<{ channel: string; found: SlackMessage[] }> {
    const { slack, sink } = this.#deps
    const active = (await sink.threads(slack.clock.now() - activeMs)).filter(({ tenant }) => tenant === slack.me.team)
    this.#known = await this.#channels()
    const channels = [...new Set([...active.map(({ project }) => project), ...this.#known])]
    const threads = active.slice(0, mostThreads)
    for (const channel of channels.slice(0, mostChannels)) {
      const own = threads.filter(({ project }) => project === channel).map(({ thread }) => thread)
      yield { channel, found: await this.#inChannel(channel, own, from) }
    }
  }

  /** Of the channel itself, and of the threads in it that went on. */
  async #inChannel(channel: string, known: string[], from: number): Promise<SlackMessage[]> {
    const roots = await this.#top(channel, from)
    const wentOn = ({ latest_reply }: SlackMessage) => latest_reply !== undefined && msOf(latest_reply) > from
    const seen = new Set(roots.map(({ ts }) => ts))
    const threads = [...roots.filter(wentOn).map(({ ts }) => ts), ...known.filter((ts) => !seen.has(ts))]
    const replies: SlackMessage[] = []
    for (const thread of threads) {
      replies.push(...(await this.#inThread(refOf(this.#deps.slack.me, { channel, thread }), from)))
    }
    const fresh = [...roots, ...replies].filter(({ ts }) => msOf(ts) > from)
    return [...new Map(fresh.map((message) => [message.ts, message])).values()]
  }

  /** The newest messages of a channel: one page at least, for the threads that begin there. */
  async #top(channel: string, from: number): Promise<SlackMessage[]> {
    const { api } = this.#deps.slack
    const found: SlackMessage[] = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages && !this.#stopped; page++) {
      const asked = { channel, limit: 100, ...(cursor ? { cursor } : {}) }
      const answer = await this.#ask(() => api.read((client) => client.conversations.history(asked)))
      const newest = messages(answer?.messages)
      found.push(...newest)
      cursor = answer?.response_metadata?.next_cursor
      const oldest = newest.at(-1)
      if (!cursor || oldest === undefined || msOf(oldest.ts) <= from) break
    }
    return found
  }

  async #inThread(thread: ThreadRef, from: number): Promise<SlackMessage[]> {
    const found: SlackMessage[] = []
    const pages = threadMessages(this.#deps.slack, thread, { oldest: (from / 1_000).toFixed(3) })
    await this.#ask(async () => {
      for await (const page of pages) found.push(...page)
    })
    return found
  }

  async #channels(): Promise<string[]> {
    const { api } = this.#deps.slack
    const found: string[] = []
    let cursor: string | undefined
    do {
      const asked = {
        types: 'public_channel,private_channel,mpim,im',
        exclude_archived: true,
        limit: 200,
        ...(cursor ? { cursor } : {}),
      }
      const answer = await this.#ask(() => api.read((client) => client.users.conversations(asked)))
      found.push(...(answer?.channels ?? []).flatMap(({ id }) => id ?? []))
      cursor = answer?.response_metadata?.next_cursor
    } while (cursor && found.length < mostChannels)
    return found
  }

  /** Slowly, once there are many; a place that is closed to us is passed over. */
  async #ask<T>(read: () => Promise<T>): Promise<T | undefined> {
    if (this.#calls++ >= quickCalls) await sleep(this.#deps.gentleMs, undefined, { ref: false })
    try {
      return await read()
    } catch (thrown) {
      if (!isCode(thrown, ...notOurs)) throw thrown
      this.#deps.slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'a channel cannot be read back')
      return undefined
    }
  }
}
