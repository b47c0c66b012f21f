import type { ThreadRef } from '../../../domain/chat.ts'
import { CatchUps } from '../../gaps/catch-ups.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import type { SlackMessage } from '../api/payload.ts'
import { msOf } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Hearing } from '../heard/hearing.ts'
import type { Cursor } from './cursor.ts'
import { Histories, mostChannels } from './histories.ts'
import { Missed } from './missed.ts'

export interface ReadBackDeps {
  slack: SlackWorkspace
  sink: InboundSink
  hearing: Hearing
  cursor: Cursor
  /** A younger message may still arrive by itself, ms. */
  lateMs: number
  /** Between two calls to Slack, once there were many, ms. */
  gentleMs: number
  /** What couldn't be stored is read back after this long, ms. */
  againMs: number
}

/** Slack may deliver late and out of order. Hearing something twice changes nothing, ms. */
const overlapMs = 10 * 60_000
/** Nobody wants an answer to an older message, ms. */
const mostBackMs = 24 * 60 * 60_000
/** Threads with recent activity are read even if their first message is old, ms. */
const activeMs = 7 * 24 * 60 * 60_000

const mostThreads = 200
/**
 * A quick check of the busiest channels and threads, within what Slack allows in a minute: at most this many, active
 * within this time; ms.
 */
const nearChannels = 30
const nearThreads = 6
const nearMs = 24 * 60 * 60_000
const nearOverlapMs = 60_000

/** After a gap, reads what was said meanwhile from Slack's history, and hears it as if it had come by itself. */
export class ReadBack {
  readonly #deps: ReadBackDeps
  #last: Promise<void> = Promise.resolve()
  #again: NodeJS.Timeout | undefined
  readonly #histories: Histories
  readonly #stopping = new AbortController()
  /** All channels, as they were last listed. */
  #known: string[] = []
  /** Where the next check of channels without threads of ours begins. */
  #turn = 0
  readonly #missed: Missed
  /** Threads that have been caught up with in this gap. */
  readonly #caughtUp = new CatchUps()

  constructor(deps: ReadBackDeps) {
    this.#deps = deps
    this.#missed = new Missed(deps)
    this.#histories = new Histories(deps.slack, deps.gentleMs, this.#stopping.signal)
  }

  /** Resolves with whether something was there that should have come by itself. One at a time. */
  run(): Promise<boolean> {
    return this.#inTurn(() => this.#run())
  }

  /** The same for a few channels and threads: the most recently active, and some of the others in turn. */
  look(): Promise<boolean> {
    return this.#inTurn(() => this.#look())
  }

  /** After a gap, hears what was missed in this thread. Undefined if nothing can be missing. */
  catchUp(thread: ThreadRef): Promise<void> | undefined {
    const { cursor } = this.#deps
    if (!cursor.isHeld) return undefined
    return this.#caughtUp.run(cursor.gaps, `${thread.project}:${thread.thread}`, () => this.#catchUp(thread))
  }

  #inTurn(read: () => Promise<boolean>): Promise<boolean> {
    const result = this.#last.then(read)
    this.#last = result.then(
      () => {},
      () => {},
    )
    return result
  }

  /**
   * Something could not be stored, such as on a full disk. Slack sends it again for some minutes only, so it is read
   * back.
   */
  later(): void {
    this.#deps.cursor.hold()
    if (this.#stopping.signal.aborted) return
    this.#again ??= setTimeout(() => {
      this.#again = undefined
      this.run().catch(() => this.later())
    }, this.#deps.againMs).unref()
  }

  /** Other processes are gone: what was sent to them, and wasn't stored, is read back. Never throws. */
  async ofOthers(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    try {
      if (await this.#deps.cursor.inherit()) await this.run()
    } catch {
      this.later()
    }
  }

  /** Hears again what was said in a thread after this message. Never throws. */
  async repliesTo(thread: ThreadRef, message: string): Promise<void> {
    const { hearing } = this.#deps
    try {
      const found = await this.#histories.inThread(thread, msOf(message))
      for (const one of found.filter(({ ts }) => Number(ts) > Number(message)))
        await hearing.hear(one, thread.project, 'found')
    } catch {
      this.later()
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#again)
    await this.#last
  }

  async #run(): Promise<boolean> {
    const { slack, cursor } = this.#deps
    const { gaps } = cursor
    const startedAt = slack.clock.now()
    const from = await this.#from(overlapMs)
    this.#histories.begin()
    let missed = false
    for await (const { channel, found } of this.#found(from)) {
      if (this.#stopping.signal.aborted) return missed
      missed = (await this.#missed.hear(channel, found, startedAt)) || missed
    }
    if (this.#stopping.signal.aborted) return missed
    cursor.release(startedAt, gaps)
    if (!cursor.isHeld) this.#caughtUp.clear()
    return missed
  }

  async #look(): Promise<boolean> {
    const { slack, sink } = this.#deps
    const startedAt = slack.clock.now()
    const from = await this.#from(nearOverlapMs)
    this.#histories.begin()
    const active = (await sink.threads(startedAt - nearMs)).filter(({ tenant }) => tenant === slack.me.team)
    if (this.#known.length === 0) this.#known = await this.#histories.channels()
    const used = [...new Set(active.map(({ project }) => project))].slice(0, nearChannels - 1)
    const threads = active.slice(0, nearThreads)
    let missed = false
    for (const channel of [...used, ...this.#inRotation(used, nearChannels - used.length)]) {
      if (this.#stopping.signal.aborted) return missed
      const own = threads.filter(({ project }) => project === channel).map(({ thread }) => thread)
      missed =
        (await this.#missed.hear(channel, await this.#histories.inChannel(channel, own, from), startedAt)) || missed
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
    const found = (await this.#histories.inThread(thread, from)).filter(({ ts }) => msOf(ts) > from)
    await this.#missed.hear(thread.project, found, slack.clock.now())
  }

  /** From this time on something may be missing, ms. */
  async #from(overlap: number): Promise<number> {
    const { slack, cursor } = this.#deps
    const now = slack.clock.now()
    return Math.max(((await cursor.read()) ?? now) - overlap, now - mostBackMs, await cursor.beginning())
  }

  /** Channel by channel, those where the bot talks first. */
  async *#found(from: number): AsyncGenerator<{ channel: string; found: SlackMessage[] }> {
    const { slack, sink } = this.#deps
    const active = (await sink.threads(slack.clock.now() - activeMs)).filter(({ tenant }) => tenant === slack.me.team)
    this.#known = await this.#histories.channels()
    const channels = [...new Set([...active.map(({ project }) => project), ...this.#known])]
    const threads = active.slice(0, mostThreads)
    for (const channel of channels.slice(0, mostChannels)) {
      const own = threads.filter(({ project }) => project === channel).map(({ thread }) => thread)
      yield { channel, found: await this.#histories.inChannel(channel, own, from) }
    }
  }
}
