import type { Clock } from '../../kit/clock.ts'
import { NotPosted } from '../platform.ts'
import { forwardOnly } from './forward-clock.ts'
import { type Rate, TokenBuckets } from './token-bucket.ts'

/** A call that writes. */
export interface WritingCall {
  /** What the platform counts by: a method, or a route. */
  bucket: string
  /** Where it writes. Calls with the same bucket, channel and rank run one after another, in order. */
  channel?: string
  /** Answers and cards have the same rank, ahead of progress. */
  priority: 'answer' | 'card' | 'progress'
  /**
   * What it overwrites, such as a message. At most one call with the same key runs at a time. Waiting progress is
   * superseded by whatever comes after it, and progress that comes after an answer by that answer.
   */
  coalesce?: string
}

/** The result of progress that wasn't run: something newer arrived, or there was no room for it in time. */
export const superseded = Symbol('superseded')
export type Superseded = typeof superseded

/** Thrown by a call that the platform rejected as one too many: it certainly did nothing. */
export class RateLimited extends Error {
  readonly afterMs: number
  /** Who has to wait: the calls of this bucket in this channel, of this bucket, or all. */
  readonly scope: 'channel' | 'bucket' | 'global'

  constructor(afterMs: number, scope: RateLimited['scope'], options?: ErrorOptions) {
    super(`too many calls: the platform accepts none for ${afterMs} ms`, options)
    this.name = 'RateLimited'
    this.afterMs = afterMs
    this.scope = scope
  }
}

export interface SchedulerOptions {
  clock: Clock
  /** Asked at the last moment before a call: people would see what a frozen process sends after it was replaced. */
  isReplaced?(): Promise<boolean>
  /** The limit of a bucket. Undefined: no limit, until the platform says otherwise. */
  limits(bucket: string): Rate | undefined
  /** The same, for each of its channels. */
  spacing?(bucket: string): Rate | undefined
  /** The same, for all calls together. */
  overall?: Rate
  /** The share of the limit that progress may use, 0 to 1; the rest is for answers and cards. */
  progressPart?: number
  /** An answer or card that found no room for this long is given back, ms. */
  patienceMs?: number
  /** Progress that found no room for this long is dropped, ms: it is out of date. */
  staleMs?: number
  /**
   * The most calls that wait. Beyond that the oldest progress is dropped or, if there is none, the call is given back.
   */
  mostWaiting?: number
  /** Runs something later; returns a function that cancels it. */
  after?(ms: number, run: () => void): () => void
}

interface Task extends WritingCall {
  lane: string
  /** Counts the calls; whoever waits remembers the number. */
  order: number
  deadline: number
  refusals: number
  run(): Promise<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** The shortest pause after a refusal, ms, doubled each time: a server may say 0. */
const leastPauseMs = 100
/** The largest delay that timers take. */
const longestTimerMs = 2 ** 31 - 1

const isProgress = ({ priority }: WritingCall): boolean => priority === 'progress'

const firstComesFirst = (a: Task, b: Task): number => Number(isProgress(a)) - Number(isProgress(b)) || a.order - b.order

const givenBack = ({ bucket }: WritingCall, why: string, afterMs?: number) =>
  new NotPosted('later', `${bucket} was not called: ${why}`, { afterMs })

/** What happens to a call that isn't even queued. */
function refused(call: WritingCall, why: string): Superseded {
  if (isProgress(call)) return superseded
  throw givenBack(call, why)
}

function withTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** A frozen process reads an old answer when it thaws. One that took this long is asked for again, ms. */
const oldMs = 1_000
/** The database may just be slow. */
const mostAsked = 3

/**
 * Makes the writing calls of one workspace within its limits: answers and cards first, progress as far as there is
 * room. Nothing is run twice, unless it threw RateLimited.
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

  /** Settles as `run` does. Throws NotPosted `later` if the call was given back: then it certainly did nothing. */
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
      // It takes the place of what it supersedes, or whatever changes often would always be last.
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

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    if (this.#waiting.length + this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Gives back what waits, and whatever comes. Resolves when what is running has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const task of [...this.#waiting]) this.#giveUp(task, 'the bot stops')
    this.#pump()
    await this.idle()
  }

  /** Starts what may start, drops what is too late, and runs again when that changes. */
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

  /** Never throws: errors belong to the caller. */
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
    const isReplaced = await this.#isReplaced().catch((thrown) => {
      // If the database doesn't say, progress isn't shown, rather than counting as perhaps shown.
      if (!isProgress(task)) throw thrown
      return true
    })
    if (isReplaced) return refused(task, 'another process has taken over')
    return task.run()
  }

  async #isReplaced(): Promise<boolean> {
    for (let asked = 0; asked < mostAsked; asked++) {
      const since = this.#clock.now()
      if (await this.#options.isReplaced()) return true
      if (this.#clock.now() - since < oldMs) return false
    }
    return false
  }

  /** If it is soon enough, the same call is tried again, ahead of others of its rank. */
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
