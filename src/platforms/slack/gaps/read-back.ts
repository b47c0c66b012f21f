import type { ThreadRef } from '../../../domain/chat.ts'
import { CatchUps } from '../../gaps/catch-ups.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { isAnswer } from '../api/errors.ts'
import type { SlackMessage } from '../api/payload.ts'
import { msOf } from '../directory/thread-refs.ts'
import type { Hearing } from '../heard/hearing.ts'
import { Again } from './again.ts'
import type { Cursor } from './cursor.ts'
import { Histories, type HistoriesDeps, mostChannels, type NewInChannel, quickCalls } from './histories.ts'
import { LeftOut, mostThreads } from './left-out.ts'
import { Missed } from './missed.ts'
import { Nearby } from './nearby.ts'

export interface ReadBackDeps extends HistoriesDeps {
  sink: InboundSink
  hearing: Hearing
  cursor: Cursor
  /** Threads used within this many days are read even if their first message is old. */
  catchUpDays: number
  /** A younger message may still arrive by itself, ms. */
  lateMs: number
  /** What couldn't be stored or read is read back after this long, ms; doubled each time that fails. */
  againMs: number
}

/** Slack may deliver late and out of order. Hearing something twice changes nothing, ms. */
const overlapMs = 10 * 60_000
const dayMs = 86_400_000
/** Nobody waits any more for answers to what was said longer ago, ms. */
const mostBackMs = 14 * dayMs

/** Slack sends what nobody acknowledged again, for the last time after five minutes; ms. */
const sentAgainMs = 6 * 60_000

/** With so many failures, more than a channel is broken. */
const mostFailures = 3

/** So many runs in a row give way to the next one. */
const mostCuts = 5

/** Without a gap, nothing should be missing, and a check of so many conversations takes a few minutes. */
const mostChecked = 300
/** A quick check of the busiest threads, within what Slack allows in a minute: at most this many, active within ms. */
const nearThreads = 6
const nearMs = dayMs
const nearOverlapMs = 60_000

/** What may be new somewhere, in the order in which it is read. */
interface News {
  channel: string
  read(): Promise<SlackMessage[]>
}

/** After a gap, reads what was said meanwhile from Slack's history, and hears it as if it had come by itself. */
export class ReadBack {
  readonly #deps: ReadBackDeps
  #last: Promise<unknown> = Promise.resolve()
  readonly #again: Again
  /** The run that waits for the one under way, which ends when `#round` is aborted. */
  #next: Promise<boolean> | undefined
  #nextLook: Promise<boolean> | undefined
  /** How many runs are under way or waiting. */
  #runs = 0
  #round = new AbortController()
  /** How many runs in a row may have been cut short. */
  #cuts = 0
  readonly #histories: Histories
  readonly #stopping = new AbortController()
  /** All channels, as they were last listed. */
  #known: string[] = []
  readonly #nearby = new Nearby()
  readonly #leftOut: LeftOut
  readonly #missed: Missed
  /** Until then, what was sent to a process that is gone may not have reached another one. */
  #doubtedUntil = 0
  /** How often others have gone. */
  #doubts = 0
  /** Of the gap by this number: channels that have been read to the end, with their threads. */
  #read = { gap: 0, channels: new Set<string>() }
  /** Channels that couldn't be read in this run. */
  readonly #unread = new Set<string>()
  /** Threads that have been caught up with in this gap, or since others have gone. */
  readonly #caughtUp = new CatchUps()

  constructor(deps: ReadBackDeps) {
    this.#deps = deps
    this.#missed = new Missed(deps)
    this.#leftOut = new LeftOut(deps)
    this.#again = new Again({ ...deps, attempt: () => this.run(), stopping: this.#stopping.signal })
    this.#histories = new Histories(deps, this.#stopping.signal)
  }

  /**
   * Resolves with whether something was there that should have come by itself. One at a time: the run under way is cut
   * short, because what was missed since would wait for minutes, and the next run reads everything anyway. After some
   * cuts in a row, one is allowed to finish.
   */
  run(): Promise<boolean> {
    if (this.#cuts++ < mostCuts) this.#round.abort()
    if (this.#next === undefined) {
      this.#runs++
      this.#next = this.#oneByOne(() => this.#run()).finally(() => this.#runs--)
    }
    return this.#next
  }

  /** Everything is being read, or is about to be. */
  get isRunning(): boolean {
    return this.#runs > 0
  }

  /** The same for a few channels and threads: the most recently active, and some of the others in turn. */
  look(): Promise<boolean> {
    this.#nextLook ??= this.#oneByOne(() => this.#look())
    return this.#nextLook
  }

  /** After a gap, hears what was missed in this thread. Undefined if nothing can be missing. */
  catchUp(thread: ThreadRef): Promise<void> | undefined {
    const { slack, cursor } = this.#deps
    if (!cursor.isHeld && slack.clock.now() >= this.#doubtedUntil) return undefined
    // Each of them only grows, so the sum never comes back.
    const gap = cursor.gaps + this.#doubts
    return this.#caughtUp.run(gap, `${thread.project}:${thread.thread}`, () => this.#catchUp(thread))
  }

  #oneByOne(read: () => Promise<boolean>): Promise<boolean> {
    const result = this.#last.then(read).catch((thrown: unknown) => {
      // The next start reads what this one didn't get to.
      if (this.#stopping.signal.aborted) return false
      throw thrown
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Something could not be stored, such as on a full disk, and Slack sends it again for some minutes only. */
  later(): void {
    this.#deps.cursor.hold()
    this.again()
  }

  /** What could not be read back is read later, until that works. */
  again(): void {
    const { cursor } = this.#deps
    if (!cursor.isHeld) cursor.hold()
    this.#again.later()
  }

  /**
   * Other processes are gone: what was sent to them, and wasn't stored, is read back by the one that takes over their
   * cursors. Turns in the others don't wait for it, so each of their threads is caught up with. Never throws.
   */
  async ofOthers(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#doubts++
    this.#doubtedUntil = this.#deps.slack.clock.now() + sentAgainMs
    try {
      if (await this.#deps.cursor.inherit()) await this.run()
    } catch {
      this.again()
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
    await this.#last
  }

  #begin(): AbortSignal {
    this.#round = new AbortController()
    const signal = AbortSignal.any([this.#stopping.signal, this.#round.signal])
    this.#histories.begin(signal)
    this.#unread.clear()
    return signal
  }

  async #run(): Promise<boolean> {
    const { slack, cursor } = this.#deps
    const { gaps } = cursor
    const doubts = this.#doubts
    this.#next = undefined
    const signal = this.#begin()
    if (!cursor.isHeld || this.#read.gap !== gaps) this.#read = { gap: gaps, channels: new Set() }
    const startedAt = slack.clock.now()
    const from = await this.#from(overlapMs)
    const missed = await this.#hearAll(this.#everywhere(from), startedAt, signal)
    if (signal.aborted) return missed
    this.#cuts = 0
    cursor.release(startedAt, gaps)
    if (doubts === this.#doubts) this.#doubtedUntil = 0
    if (!cursor.isHeld) this.#caughtUp.clear()
    return missed
  }

  async #look(): Promise<boolean> {
    const { slack, sink } = this.#deps
    this.#nextLook = undefined
    const signal = this.#begin()
    const startedAt = slack.clock.now()
    const from = await this.#from(nearOverlapMs, nearMs)
    const active = (await sink.threads(startedAt - nearMs)).filter(({ tenant }) => tenant === slack.me.team)
    if (this.#known.length === 0) this.#known = await this.#histories.channels()
    const channels = this.#nearby.channels(active, this.#known)
    return this.#hearAll(this.#newIn(channels, active.slice(0, nearThreads), from), startedAt, signal)
  }

  /** A failure doesn't hold up the rest, as long as Slack answers; in the end it is thrown. */
  async #hearAll(news: AsyncGenerator<News>, startedAt: number, signal: AbortSignal): Promise<boolean> {
    let missed = false
    const failures: unknown[] = []
    for await (const { channel, read } of news) {
      if (signal.aborted) return missed
      try {
        missed = (await this.#missed.hear(channel, await read(), startedAt)) || missed
      } catch (thrown) {
        this.#unread.add(channel)
        if (!isAnswer(thrown) || failures.push(thrown) === mostFailures) throw thrown
      }
    }
    if (failures.length > 0) throw failures[0]
    return missed
  }

  async #catchUp(thread: ThreadRef): Promise<void> {
    const found = await this.#newInThread(thread, await this.#from(overlapMs))
    for (const one of found) await this.#deps.hearing.hear(one, thread.project, 'found')
  }

  async #newInThread(thread: ThreadRef, from: number): Promise<SlackMessage[]> {
    return (await this.#histories.inThread(thread, from)).filter(({ ts }) => msOf(ts) > from)
  }

  /** From this time on something may be missing, ms. */
  async #from(overlap: number, most = mostBackMs): Promise<number> {
    const { slack, cursor } = this.#deps
    const now = slack.clock.now()
    return Math.max(((await cursor.read()) ?? now) - overlap, now - most, await cursor.beginning())
  }

  /** Where the bot talks comes first. With many channels, the others are read one by one, and once in each gap. */
  async *#everywhere(from: number): AsyncGenerator<News> {
    const { slack, sink, cursor, catchUpDays } = this.#deps
    const most = cursor.isHeld ? mostChannels : mostChecked
    const active = (await sink.threads(from - catchUpDays * dayMs)).filter(({ tenant }) => tenant === slack.me.team)
    this.#known = await this.#histories.channels()
    this.#leftOut.tell({ conversations: this.#known.length, threads: active.length, since: await cursor.read(), from })
    const channels = [...new Set([...active.map(({ project }) => project), ...this.#known])].slice(0, most)
    const threads = active.slice(0, mostThreads)
    yield* this.#newIn(channels.slice(0, quickCalls), threads, from)
    const done = this.#read.channels
    for (const channel of channels.slice(quickCalls).filter((one) => !done.has(one))) {
      yield* this.#newIn([channel], threads, from)
      if (!this.#unread.has(channel)) done.add(channel)
    }
  }

  /**
   * What begins threads is quickly found in all of these channels, and which threads were missed: somebody waits there.
   * The other threads may be many.
   */
  async *#newIn(channels: string[], known: ThreadRef[], from: number): AsyncGenerator<News> {
    const later: NewInChannel[] = []
    for (const channel of channels) {
      const own = known.filter(({ project }) => project === channel).map(({ thread }) => thread)
      const read = async () => {
        const found = await this.#histories.inChannel(channel, own, from)
        later.push(found)
        return found.roots
      }
      yield { channel, read }
    }
    const inThread = (thread: ThreadRef): News => ({
      channel: thread.project,
      read: () => this.#newInThread(thread, from),
    })
    yield* later.flatMap(({ unheard }) => unheard).map(inThread)
    yield* later.flatMap(({ unheardElsewhere }) => unheardElsewhere).map(inThread)
    for (const { channel, others, replies } of later) {
      yield* others.map(inThread)
      yield { channel, read: async () => replies }
    }
  }
}
