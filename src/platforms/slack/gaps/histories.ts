import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../../../domain/chat.ts'
import { unlessAborted } from '../../../kit/abort.ts'
import { codeOf, isPassing, reasonIn, tokenTrouble } from '../api/errors.ts'
import { messages, type SlackMessage } from '../api/payload.ts'
import { msOf, refOf, rootOf } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { threadMessages } from '../post/find.ts'

/** The most conversations that are read: an hour's work. */
export const mostChannels = 3_000
/** Pages of 100 messages in each channel. */
const mostPages = 5
/** This many of other people's threads are read in each channel, and beyond them only those that go on. */
const fewThreads = 20
/** A thread goes on if somebody has replied in that time, ms. */
const mostQuietMs = 2 * 86_400_000
/** So many reads follow one another at once. */
export const quickCalls = 30

export interface HistoriesDeps {
  slack: SlackWorkspace
  /** Between two calls to Slack, once there were many, ms. */
  gentleMs: number
  /** Whether this message was heard or posted lately. */
  isKnown(channel: string, ts: string): boolean
}

export interface NewInChannel {
  channel: string
  /** They begin threads. */
  roots: SlackMessage[]
  /** Replies that also stand in the channel. */
  replies: SlackMessage[]
  /** Their latest reply was never heard: those that were asked for, and those of other people. */
  unheard: ThreadRef[]
  unheardElsewhere: ThreadRef[]
  /** Other threads in which something may be new. */
  others: ThreadRef[]
}

const isRoot = (message: SlackMessage): boolean => rootOf(message) === message.ts

/** It won't be readable next time either. While the token isn't accepted, nothing is. */
const isClosed = (thrown: unknown): boolean =>
  codeOf(thrown) !== undefined && !isPassing(thrown) && tokenTrouble(thrown) === undefined

/** Reads the history of channels and threads: quickly at first, then slowly, so that others have room too. */
export class Histories {
  readonly #slack: SlackWorkspace
  readonly #gentleMs: number
  readonly #isKnown: HistoriesDeps['isKnown']
  readonly #stopping: AbortSignal
  #signal: AbortSignal
  #calls = 0

  /** Once `stopping` is aborted, no answer of Slack's is waited for. */
  constructor({ slack, gentleMs, isKnown }: HistoriesDeps, stopping: AbortSignal) {
    this.#slack = slack
    this.#gentleMs = gentleMs
    this.#isKnown = isKnown
    this.#stopping = stopping
    this.#signal = stopping
  }

  /** Another round: its first calls are quick. Once the signal is aborted, nobody waits for it. */
  begin(signal: AbortSignal): void {
    this.#calls = 0
    this.#signal = signal
  }

  /**
   * What is new in the channel itself, and which of its threads may have more: those that `known` names, and others.
   */
  async inChannel(channel: string, known: string[], from: number): Promise<NewInChannel> {
    const top = await this.#top(channel, from)
    const wentOn = ({ latest_reply }: SlackMessage) => latest_reply !== undefined && msOf(latest_reply) > from
    const seen = new Set(top.map(({ ts }) => ts))
    const isUnheard = ({ latest_reply = '' }: SlackMessage) => !this.#isKnown(channel, latest_reply)
    const [unheard, heard] = [top.filter(wentOn).filter(isUnheard), top.filter(wentOn).filter((one) => !isUnheard(one))]
    const ours = unheard.filter(({ ts }) => known.includes(ts))
    const elsewhere = unheard.filter((one) => !ours.includes(one))
    const others = [...heard.map(({ ts }) => ts), ...known.filter((ts) => !seen.has(ts))]
    const refTo = (thread: string) => refOf(this.#slack.me, { channel, thread })
    const refs = (found: SlackMessage[]) => found.map(({ ts }) => refTo(ts))
    const fresh = top.filter(({ ts }) => msOf(ts) > from)
    const [roots, replies] = [fresh.filter(isRoot), fresh.filter((message) => !isRoot(message))]
    const missed = { unheard: refs(ours), unheardElsewhere: refs(this.#lively(channel, elsewhere)) }
    return { channel, roots, replies, ...missed, others: others.map(refTo) }
  }

  /** A few threads, and those that somebody replied to in the last days; the latest come first. */
  #lively(channel: string, threads: SlackMessage[]): SlackMessage[] {
    const { clock, log } = this.#slack
    const since = clock.now() - mostQuietMs
    const repliedAt = ({ latest_reply = '' }: SlackMessage) => msOf(latest_reply)
    const latest = threads.toSorted((one, other) => repliedAt(other) - repliedAt(one))
    const lively = latest.filter((thread, index) => index < fewThreads || repliedAt(thread) > since)
    const about = { platform: 'slack', channel, threads: threads.length - lively.length }
    if (about.threads > 0)
      log.warn(about, 'threads quiet for days that the bot is not known to be in are not read back')
    return lively
  }

  /** The newest messages of a channel: at least one page, for the threads that begin there. */
  async #top(channel: string, from: number): Promise<SlackMessage[]> {
    const { api } = this.#slack
    const found: SlackMessage[] = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages && !this.#signal.aborted; page++) {
      const asked = { channel, limit: 100, ...(cursor ? { cursor } : {}) }
      const answer = await this.#ask(() => api.read((client) => client.conversations.history(asked)))
      const newest = messages(answer?.messages)
      found.push(...newest)
      cursor = answer?.response_metadata?.next_cursor
      const oldest = newest.at(-1)
      if (!cursor || oldest === undefined || msOf(oldest.ts) <= from) return found
    }
    const about = { platform: 'slack', channel, messages: found.length }
    if (!this.#signal.aborted) this.#slack.log.warn(about, 'only the latest messages are read back')
    return found
  }

  /** What is new in a thread, and its root. */
  async inThread(thread: ThreadRef, from: number): Promise<SlackMessage[]> {
    const found: SlackMessage[] = []
    const pages = threadMessages(this.#slack, thread, { oldest: (from / 1_000).toFixed(3) })
    await this.#ask(async () => {
      for await (const page of pages) found.push(...page)
    })
    return found
  }

  /** The channels that the bot is in: all of them, or, if there are more than `mostChannels`, more than that. */
  async channels(): Promise<string[]> {
    const { api } = this.#slack
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
    } while (cursor && found.length <= mostChannels)
    return found
  }

  /** Slowly, once there are many; channels that we can't read are skipped. Throws if the bot stops meanwhile. */
  async #ask<T>(read: () => Promise<T>): Promise<T | undefined> {
    const signal = this.#signal
    if (this.#calls++ >= quickCalls) await sleep(this.#gentleMs, undefined, { ref: false, signal }).catch(() => {})
    try {
      return await unlessAborted(this.#stopping, read)
    } catch (thrown) {
      if (!isClosed(thrown)) throw thrown
      this.#slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'a channel cannot be read back')
      return undefined
    }
  }
}
