import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Job, PgBoss } from 'pg-boss'
import type { Engine, Run } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'
import type { DatabaseServer } from '../store/database.ts'
import type { Lease } from '../store/store.ts'
import type { TakenWake } from '../store/wakes.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { dbOf, openBoss, queue, schema } from './open-boss.ts'
import { endUnowned, forgetDone, notingWho } from './taken-wakes.ts'

export interface BossOptions extends EmbeddedOptions {
  server: DatabaseServer
  /** What this process is called. */
  holder: string
  /** Wakes that were fetched by processes that are gone. */
  lostWakes(): Promise<TakenWake[]>
  /** Wakes that this process has fetched, whether or not the answer reached it. */
  ownWakes(): Promise<TakenWake[]>
  /** Those of these leases that somebody else has ended. */
  lost<Held extends Lease>(leases: Held[]): Promise<Held[]>
  /** Tells the process that runs the session, whichever that is. */
  interruptElsewhere(session: SessionId): void
  /** Tells other processes that there is a wake which this one doesn't take. */
  wakeElsewhere(): void
}

type Wake = Job<{ session: SessionId }>

interface Running {
  wake: Wake
  abort: AbortController
  done: Promise<void>
  /** Under which it holds the session, once it does. */
  epoch?: number
}

interface Beginning {
  signal: AbortSignal
  took(epoch: number): void
  former: Promise<void>[]
}

/** How often to look for wakes of other processes, and for stops that nobody could tell of, ms. */
const lookMs = 1_000

/** In a queue that they made, processes of older versions end claims that nobody touches, ms. */
const touchMs = 3_000

const mostAtOnce = 20

/**
 * Wakes are jobs of pg-boss, so that only one process runs a session. If a wake is lost, the sweep finds its session.
 */
export class BossEngine implements Engine {
  readonly #options: BossOptions
  readonly #noting: Db
  #started: PgBoss | undefined
  /** A claim that was taken from us may come back, so there may be two for a session: one ends, and one waits. */
  readonly #running = new Set<Running>()
  readonly #leaving = new AbortController()
  readonly leaving = this.#leaving.signal
  readonly #timers: NodeJS.Timeout[] = []
  #run: Run | undefined
  #fetching: Promise<void> | undefined
  #again = false
  /** It may have fetched what it doesn't know of, because the answer didn't come. */
  #isUnsure = false
  readonly #sending = new Set<Promise<void>>()
  /** Sessions whose wakes couldn't be sent. */
  #unsent = new Set<SessionId>()

  constructor(options: BossOptions) {
    this.#options = options
    this.#noting = notingWho(dbOf(options.server), options.holder)
  }

  async start(run: Run): Promise<void> {
    this.#started = await openBoss(this.#options.server, (thrown) => this.#options.report(undefined, thrown))
    this.#run = run
    this.#every(this.#options.sweepMs, () => this.sweep())
    this.#every(lookMs, async () => {
      this.#sendAgain()
      this.#look()
    })
    this.#every(lookMs, () => this.#endLost())
    this.#every(touchMs, () => this.#touch())
    await this.sweep()
  }

  get #boss(): PgBoss {
    if (this.#started === undefined) throw new Error('the engine has not been started')
    return this.#started
  }

  wake(session: SessionId): void {
    if (this.#started === undefined) {
      this.#unsent.add(session)
      return
    }
    const sending = this.#send(session).finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  /** Another process has sent a wake. */
  lookNow(): void {
    this.#look()
  }

  async #send(session: SessionId): Promise<void> {
    try {
      await this.#boss.send(queue, { session }, { singletonKey: session })
      if (this.leaving.aborted) this.#options.wakeElsewhere()
      else this.#look()
    } catch (thrown) {
      this.#unsent.add(session)
      this.#options.report(session, thrown)
    }
  }

  interrupt(session: SessionId): void {
    if (!this.interruptHere(session)) this.#options.interruptElsewhere(session)
  }

  /** False when it doesn't run here. */
  interruptHere(session: SessionId): boolean {
    return this.#abort(session, 'interrupted').length > 0
  }

  #abort(session: SessionId, why: string): Running[] {
    const here = [...this.#running].filter(({ wake }) => wake.data.session === session)
    for (const { abort } of here) abort.abort(new Error(why))
    return here
  }

  /** Wakes forgotten sessions, and ends the claims of processes that are gone. */
  async sweep(): Promise<void> {
    const lost = await this.#options.lostWakes()
    if (lost.length > 0) await this.#boss.deleteJob(queue, lost)
    const db = this.#boss.getDb()
    await forgetDone(db, `${schema}.job`)
    await endUnowned(db, `${schema}.job`)
    // The server may have finished a fetch long after its connection was cut.
    this.#isUnsure = true
    for (const session of await this.#options.runnable()) this.wake(session)
  }

  /** Begins nothing new. Resolves when every run has ended, or has been left to other processes between two steps. */
  async letGo(): Promise<void> {
    this.#leaving.abort(new Error('the process is leaving'))
    await this.#fetching
    await Promise.all([...this.#running].map(({ done }) => done))
  }

  async stop(graceMs: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#leaving.abort(new Error('the process is leaving'))
    await this.#fetching
    await this.#idle(graceMs)
    for (const { abort } of this.#running) abort.abort(new Error('the process is leaving'))
    // A tool that ignores its signal isn't waited for; the next process finds its call started.
    await this.#idle(graceMs)
  }

  async close(): Promise<void> {
    this.#sendAgain()
    while (this.#sending.size > 0) await Promise.all(this.#sending)
    await this.#started?.stop({ graceful: false })
  }

  #every(ms: number, work: () => Promise<void>): void {
    let isUnderWay = false
    const begin = () => {
      if (isUnderWay) return
      isUnderWay = true
      work()
        .catch((thrown) => this.#options.report(undefined, thrown))
        .finally(() => {
          isUnderWay = false
        })
    }
    this.#timers.push(setInterval(begin, ms))
  }

  #sendAgain(): void {
    const unsent = this.#unsent
    this.#unsent = new Set()
    for (const session of unsent) this.wake(session)
  }

  #look(): void {
    this.#again = true
    this.#fetching ??= this.#fetch()
      .catch((thrown) => {
        this.#isUnsure = true
        this.#options.report(undefined, thrown)
      })
      .finally(() => {
        this.#fetching = undefined
      })
  }

  async #fetch(): Promise<void> {
    if (this.#isUnsure) await this.#letGoUnknown()
    while (this.#again && this.#room() > 0) {
      this.#again = false
      const batchSize = this.#room()
      const wakes = await this.#boss.fetch<Wake['data']>(queue, { batchSize, db: this.#noting })
      for (const wake of wakes) this.#begin(wake)
      if (wakes.length === batchSize) this.#again = true
    }
  }

  /** Gives back what was fetched without this process knowing it. While it lives, nobody else ends such a claim. */
  async #letGoUnknown(): Promise<void> {
    this.#isUnsure = false
    // So that turns which have simply ended aren't among them.
    await forgetDone(this.#boss.getDb(), `${schema}.job`)
    const unknown = (await this.#options.ownWakes()).filter((own) => !this.#isRunning(own))
    if (unknown.length === 0) return
    await this.#boss.deleteJob(queue, unknown)
    await this.sweep()
  }

  #isRunning({ id, retryCount }: TakenWake): boolean {
    return [...this.#running].some(({ wake }) => wake.id === id && wake.retryCount === retryCount)
  }

  #room(): number {
    const { turnsAtOnce, hasRoom = () => true } = this.#options
    const { size } = this.#running
    const isFull = this.leaving.aborted || this.#run === undefined || (size > 0 && !hasRoom(size))
    return isFull ? 0 : Math.min(turnsAtOnce - size, mostAtOnce)
  }

  #begin(wake: Wake): void {
    const former = this.#abort(wake.data.session, 'its claim was taken').map(({ done }) => done)
    const abort = new AbortController()
    const took = (epoch: number) => {
      run.epoch = epoch
    }
    const done = this.#work(wake, { signal: abort.signal, took, former }).finally(() => {
      this.#running.delete(run)
      this.#look()
    })
    const run: Running = { wake, abort, done }
    this.#running.add(run)
  }

  async #work(wake: Wake, { signal, took, former }: Beginning): Promise<void> {
    const { session } = wake.data
    try {
      // Also lets `#running` hold the run first.
      await Promise.all(former)
      await this.#run?.(session, signal, took)
    } catch (thrown) {
      this.#options.report(session, thrown)
    }
    // By the attempt, so that one whose claim was taken doesn't end its successor's.
    await this.#release(wake)
    // Another process continues with what is left.
    if (this.leaving.aborted) await this.#send(session)
  }

  /** Until this is done, nobody else can run the session. */
  async #release(wake: Wake): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#boss.deleteJob(queue, wake)
        return
      } catch (thrown) {
        if (tries === 0) this.#options.report(wake.data.session, thrown)
        if (this.leaving.aborted) return
        await sleep(lookMs, undefined, { ref: false })
      }
    }
  }

  /** Ends what was stopped, or taken over, elsewhere. */
  async #endLost(): Promise<void> {
    const held = [...this.#running].flatMap(({ wake, abort, epoch }) =>
      epoch === undefined || abort.signal.aborted ? [] : [{ session: wake.data.session, epoch, abort }],
    )
    if (held.length === 0) return
    for (const { abort } of await this.#options.lost(held)) abort.abort(new Error('interrupted'))
  }

  async #touch(): Promise<void> {
    const wakes = [...this.#running].map(({ wake }) => wake)
    if (wakes.length > 0) await this.#boss.touch(queue, wakes)
  }

  /** Resolves when nothing runs, or after this time. */
  async #idle(ms: number): Promise<void> {
    const over = new AbortController()
    const runs = Promise.all([...this.#running].map(({ done }) => done))
    await Promise.race([runs, sleep(ms, undefined, { signal: over.signal }).catch(() => {})])
    over.abort()
  }
}
