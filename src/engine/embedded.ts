import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, Run } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'

export interface EmbeddedOptions {
  turnsAtOnce: number
  /** Whether another run may start beside these. */
  hasRoom?(running: number): boolean
  sweepMs: number
  /** Sessions with work to do, for wakes that were lost. */
  runnable(): Promise<SessionId[]>
  report(session: SessionId | undefined, thrown: unknown): void
}

export const embeddedEngine = (options: EmbeddedOptions): Engine => new EmbeddedEngine(options)

/** A queue in memory, first in, first out. One run per session at a time. Sweeps at the start and every `sweepMs`. */
class EmbeddedEngine implements Engine {
  readonly #options: EmbeddedOptions
  readonly #queue = new Set<SessionId>()
  readonly #running = new Map<SessionId, { abort: AbortController; done: Promise<void> }>()
  readonly #again = new Set<SessionId>()
  readonly #leaving = new AbortController()
  readonly leaving = this.#leaving.signal
  #run: Run | undefined
  #timer: NodeJS.Timeout | undefined
  #isPumping = false

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  async start(runSession: Run): Promise<void> {
    this.#run = runSession
    this.#timer = setInterval(() => void this.#sweep(), this.#options.sweepMs)
    await this.#sweep()
  }

  wake(session: SessionId): void {
    if (this.#running.has(session)) this.#again.add(session)
    else this.#queue.add(session)
    this.#pump()
  }

  interrupt(session: SessionId): void {
    this.#running.get(session)?.abort.abort(new Error('interrupted'))
  }

  async stop(graceMs: number): Promise<void> {
    clearInterval(this.#timer)
    this.#leaving.abort(new Error('the process is leaving'))
    await this.#idle(graceMs)
    for (const { abort } of this.#running.values()) abort.abort(new Error('the process is leaving'))
    // A tool that ignores its signal isn't waited for; the next process finds its call started.
    await this.#idle(graceMs)
  }

  async close(): Promise<void> {}

  /** Starts one run per round of the event loop, so that incoming messages are stored and acknowledged in between. */
  #pump(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    setImmediate(() => {
      this.#isPumping = false
      const run = this.#run
      const [session] = this.#queue
      if (session === undefined || run === undefined || !this.#mayRunMore()) return
      this.#queue.delete(session)
      const abort = new AbortController()
      this.#running.set(session, { abort, done: this.#work(run, session, abort.signal) })
      this.#pump()
    })
  }

  #mayRunMore(): boolean {
    const { turnsAtOnce, hasRoom = () => true } = this.#options
    const { size } = this.#running
    return !this.leaving.aborted && size < turnsAtOnce && (size === 0 || hasRoom(size))
  }

  async #work(run: Run, session: SessionId, signal: AbortSignal): Promise<void> {
    try {
      // Lets `#running` hold the run first.
      await Promise.resolve()
      await run(session, signal, () => {})
    } catch (thrown) {
      this.#options.report(session, thrown)
    }
    this.#running.delete(session)
    if (this.#again.delete(session)) this.#queue.add(session)
    this.#pump()
  }

  async #sweep(): Promise<void> {
    try {
      for (const session of await this.#options.runnable()) if (!this.#running.has(session)) this.wake(session)
    } catch (thrown) {
      this.#options.report(undefined, thrown)
    }
  }

  /** Resolves when nothing runs, or after this time. */
  async #idle(ms: number): Promise<void> {
    const over = new AbortController()
    const lanes = Promise.all([...this.#running.values()].map(({ done }) => done))
    await Promise.race([lanes, sleep(ms, undefined, { signal: over.signal }).catch(() => {})])
    over.abort()
  }
}
