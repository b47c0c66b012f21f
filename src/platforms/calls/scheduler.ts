import type { Clock } from '../../kit/clock.ts'
import { NotPosted } from '../platform.ts'
import { forwardOnly } from './forward-clock.ts'
import { type Rate, TokenBuckets } from './token-bucket.ts'

/** A call that writes. */
export interface WritingCall {
  /** What the platform counts by: a method, or a route. */
  bucket: string
  /** Where it writes. Calls with the same bucket, channel and rank run one after another, in the order they came. */
  channel?: string
  /** Answers and cards are of one rank, and go before progress. */
  priority: 'answer' | 'card' | 'progress'
  /**
   * What it overwrites, such as a message. Of the calls with one key at most one runs at a time; progress that waits is
   * superseded by whatever comes after it, and progress that comes after an answer by that answer.
   */
  coalesce?: string
}

/** What progress resolves with that was not run: something newer arrived, or there was no room for it in time. */
export const superseded = Symbol('superseded')
export type Superseded = typeof superseded

/** Thrown by a call that the platform refused because there were too many: it certainly did nothing. */
export class RateLimited extends Error {
  readonly afterMs: number
  /** Who has to wait: the calls of this bucket in this channel, of this bucket, or all. */
  readonly scope: 'channel' | 'bucket' | 'global'

  constructor(afterMs: number, scope: RateLimited['scope'], options?: ErrorOptions) {
    super(`too many calls: the platform wants none for ${afterMs} ms`, options)
    this.name = 'RateLimited'
    this.afterMs = afterMs
    this.scope = scope
  }
}

export interface SchedulerOptions {
  clock: Clock
  /** Asked at the last moment before a call: what a process sends that was frozen and replaced would be seen. */
  isReplaced?(): Promise<boolean>
  /** How much may be called of a bucket. Undefined: as much as one likes, until the platform says otherwise. */
  limits(bucket: string): Rate | undefined
  /** The same, for each of its channels. */
  spacing?(bucket: string): Rate | undefined
  /** The same, for everything together. */
  overall?: Rate
  /** Progress leaves the rest of what may be called at once to answers and cards; 0 to 1. */
  progressPart?: number
  /** An answer or card that found no room for so long is given back, ms. */
  patienceMs?: number
  /** Progress that found no room for so long is dropped, ms: it shows what is no longer so. */
  staleMs?: number
  /** So many calls wait at most. Then the oldest progress is dropped, and where there is none, the call is given back. */
  mostWaiting?: number
  /** Runs something later; what it returns takes that back. */
  after?(ms: number, run: () => void): () => void
}

interface Task extends WritingCall {
  lane: string
  /** Counts the calls; who waits keeps it. */
  order: number
  deadline: number
  refusals: number
  run(): Promise<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** A refusal pauses at least so long, ms, and twice as long every time: a server may say 0. */
const leastPauseMs = 100
/** The largest delay that timers take. */
const longestTimerMs = 2 ** 31 - 1

const isProgress = ({ priority }: WritingCall): boolean => priority === 'progress'

const firstComesFirst = (a: Task, b: Task): number => Number(isProgress(a)) - Number(isProgress(b)) || a.order - b.order

const givenBack = ({ bucket }: WritingCall, why: string, afterMs?: number) =>
  new NotPosted('later', `${bucket} was not called: ${why}`, { afterMs })

/** What becomes of a call that does not even wait. */
function refused(call: WritingCall, why: string): Superseded {
  if (isProgress(call)) return superseded
  throw givenBack(call, why)
}

function withTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Makes the writing calls of one workspace within its limits: answers and cards first, progress as far as there is room.
 * Nothing is run twice, unless it threw RateLimited.
 */
export class Scheduler {
  readonly #options: Required<
    Pick<SchedulerOptions, 'progressPart' | 'patienceMs' | 'staleMs' | 'mostWaiting' | 'after' | 'isReplaced'>
  >
  readonly #clock: Clock
  readonly #buckets: TokenBuckets
  readonly #running = new Set<Task>()
  readonly #idle: (() => void)[] = []
  /** In the order in which they are to run. */
  #waiting: Task[] = []
  #count = 0
  #stopped = false
  #cancelTimer = () => {}

  constructor(options: SchedulerOptions) {
    const {
      progressPart = 0.7,
      patienceMs = 120_000,
      staleMs = 5_000,
      mostWaiting = 1_000,
      after = withTimeout,
      isReplaced = async () => false,
    } = options
    this.#options = { progressPart, patienceMs, staleMs, mostWaiting, after, isReplaced }
    this.#clock = forwardOnly(options.clock)
    this.#buckets = new TokenBuckets(options)
  }

  /** Settles as `run` does. Throws NotPosted `later` when the call was given back: then it certainly did nothing. */
  schedule<T>(call: WritingCall & { priority: 'answer' | 'card' }, run: () => Promise<T>): Promise<T>
  schedule<T>(call: WritingCall, run: () => Promise<T>): Promise<T | Superseded>
  async schedule(call: WritingCall, run: () => Promise<unknown>): Promise<unknown> {
    const progress = isProgress(call)
    if (this.#stopped) return refused(call, 'the bot stops')
    const rivals = this.#withKey(call.coalesce)
    if (progress && rivals.some((rival) => !isProgress(rival))) return superseded

    const late = rivals.filter((rival) => isProgress(rival) && !this.#running.has(rival))
    for (const rival of late) this.#giveUp(rival, 'something newer arrived')
    if (this.#waiting.length >= this.#options.mostWaiting) {
      const oldest = this.#waiting.find(isProgress)
      if (oldest === undefined) return refused(call, 'too many calls wait')
      this.#giveUp(oldest, 'too many calls wait')
    }

    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const { bucket, channel } = call
    this.#insert({
      ...call,
      lane: JSON.stringify([bucket, channel, progress]),
      // In the place of what it supersedes, or what changes often would always be last.
      order: Math.min(this.#count++, ...(progress ? late.map(({ order }) => order) : [])),
      deadline: this.#clock.now() + (progress ? this.#options.staleMs : this.#options.patienceMs),
      refusals: 0,
      run,
      resolve,
      reject,
    })
    this.#pump()
    return promise
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(): Promise<void> {
    if (this.#waiting.length + this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Gives back what waits, and whatever comes. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const task of [...this.#waiting]) this.#giveUp(task, 'the bot stops')
    this.#pump()
    await this.idle()
  }

  /** Starts what may start, drops what is too late, and comes again when that changes. */
  #pump(): void {
    this.#cancelTimer()
    const now = this.#clock.now()
    const busyKeys = new Set([...this.#running].map(({ coalesce }) => coalesce))
    const busyLanes = new Set([...this.#running].map(({ lane }) => lane))
    let nextMs = longestTimerMs
    for (const task of [...this.#waiting]) {
      const { channel, lane, coalesce } = task
      const held = (channel !== undefined && busyLanes.has(lane)) || (coalesce !== undefined && busyKeys.has(coalesce))
      const waitMs = held ? Number.POSITIVE_INFINITY : this.#buckets.waitMs(task, now, this.#partOf(task))
      if (waitMs > 0 && now >= task.deadline) {
        this.#giveUp(task, 'there was no room for it in time')
        continue
      }
      if (waitMs === 0) this.#start(task, now)
      else nextMs = Math.min(nextMs, waitMs, task.deadline - now)
      busyLanes.add(lane)
      if (waitMs === 0) busyKeys.add(coalesce)
    }
    if (this.#waiting.length > 0) this.#cancelTimer = this.#options.after(nextMs, () => this.#pump())
    else if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #start(task: Task, now: number): void {
    this.#waiting.splice(this.#waiting.indexOf(task), 1)
    this.#running.add(task)
    this.#buckets.take(task, now)
    void this.#run(task)
  }

  /** Never throws: what goes wrong belongs to who asked. */
  async #run(task: Task): Promise<void> {
    try {
      // Not before this pump has ended: a call may schedule another one.
      task.resolve(await Promise.resolve().then(() => this.#call(task)))
    } catch (thrown) {
      if (thrown instanceof RateLimited) this.#limited(task, thrown)
      else task.reject(thrown)
    }
    this.#running.delete(task)
    this.#pump()
  }

  async #call(task: Task): Promise<unknown> {
    if (await this.#options.isReplaced()) return refused(task, 'another process has taken over')
    return task.run()
  }

  /** The same call is tried again, before the others of its rank, if that is soon enough. */
  #limited(task: Task, { afterMs, scope, message }: RateLimited): void {
    const now = this.#clock.now()
    const pauseMs = Math.max(leastPauseMs * 2 ** task.refusals++, Number.isFinite(afterMs) ? afterMs : 0)
    this.#buckets.pause(task, scope, now, pauseMs)
    if (isProgress(task)) task.resolve(superseded)
    else if (this.#stopped) task.reject(givenBack(task, 'the bot stops'))
    else if (now + pauseMs >= task.deadline) task.reject(givenBack(task, message, pauseMs))
    else this.#insert(task)
  }

  #insert(task: Task): void {
    const after = this.#waiting.findLastIndex((other) => firstComesFirst(other, task) < 0)
    this.#waiting.splice(after + 1, 0, task)
  }

  #giveUp(task: Task, why: string): void {
    this.#waiting.splice(this.#waiting.indexOf(task), 1)
    if (isProgress(task)) task.resolve(superseded)
    else task.reject(givenBack(task, why))
  }

  #withKey(key: string | undefined): Task[] {
    return key === undefined ? [] : [...this.#waiting, ...this.#running].filter(({ coalesce }) => coalesce === key)
  }

  #partOf(task: Task): number {
    return isProgress(task) ? this.#options.progressPart : 1
  }
}
