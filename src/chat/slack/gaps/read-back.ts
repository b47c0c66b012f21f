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

const notOurs = ['channel_not_found', 'is_archived', 'missing_scope', 'not_in_channel', 'thread_not_found']

/** After a gap, what was said meanwhile is read from Slack's history, and heard as if it had come by itself. */
export class ReadBack {
  readonly #deps: ReadBackDeps
  #last: Promise<void> = Promise.resolve()
  #stopped = false
  #calls = 0
  #again: NodeJS.Timeout | undefined

  constructor(deps: ReadBackDeps) {
    this.#deps = deps
  }

  /** Resolves with whether something was there that ought to have come by itself. One at a time. */
  run(): Promise<boolean> {
    const before = this.#last
    const result = before.then(() => this.#run())
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
    const { slack, cursor, lateMs } = this.#deps
    const { gaps } = cursor
    const startedAt = slack.clock.now()
    const since = await cursor.read()
    this.#calls = 0
    let missed = false
    if (this.#stopped) return missed
    if (since !== undefined) {
      const from = Math.max(since - overlapMs, startedAt - mostBackMs)
      for await (const { channel, found } of this.#found(from)) {
        if (this.#stopped) return missed
        for (const message of found.toSorted((a, b) => Number(a.ts) - Number(b.ts))) {
          const isNew = await this.#deps.hearing.hear(message, channel)
          missed ||= isNew && msOf(message.ts) < startedAt - lateMs
        }
      }
    }
    cursor.release(startedAt, gaps)
    return missed
  }

  /** Channel by channel, those where the bot talks first. */
  async *#found(from: number): AsyncGenerator<{ channel: string; found: SlackMessage[] }> {
    const { slack, sink } = this.#deps
    const active = (await sink.threads(slack.clock.now() - activeMs)).filter(({ tenant }) => tenant === slack.me.team)
    const channels = [...new Set([...active.map(({ project }) => project), ...(await this.#channels())])]
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
