import { Failure, reasonOf } from '../../kit/failure.ts'
import { oneLine } from '../../kit/text/text.ts'
import type { OpenCalls } from './open-calls.ts'
import type { ListedTool, McpClient } from './port.ts'
import { mcpWords } from './words.ts'

/** A server that has said hello. */
export interface Started {
  client: McpClient
  tools: ListedTool[]
  /** Why the server ended. Never resolves for one that doesn't run here. */
  ended: Promise<string>
  stop(): Promise<void>
}

export interface Opened extends Started {
  /** Those that it is carrying out. */
  calls: OpenCalls
}

export interface ConnectionDeps {
  name: string
  now(): number
  /** Starts the server and connects. `lost` is called when the connection ends by itself. */
  open(signal: AbortSignal, lost: () => void): Promise<Opened>
  startMs: number
  /** Called with its tools each time it has started. */
  learned(tools: ListedTool[]): Promise<void>
  report(thrown: unknown): void
  mask(text: string): string
}

export type ConnectionState = 'stopped' | 'starting' | 'running' | 'failed'

/** After that long without a word, a server is asked whether it is still there before it gets a call. */
const quietMs = 30_000
const pingMs = 5_000
const longestPauseMs = 60_000

const wasStopped = 'it was stopped'

/** One running server: started when it is needed, and again after a crash, with longer and longer pauses. */
export class Connection {
  readonly #deps: ConnectionDeps
  #opening: Promise<Opened> | undefined
  #opened: Opened | undefined
  #failures = 0
  #notBefore = 0
  #why = ''
  #heardAt = 0
  #isSuspect = false
  /** It is replaced as soon as that ends nobody's call. */
  #wornOut: Opened | undefined
  #givingUp = new AbortController()
  #isStopped = false
  /** The ends of servers that it doesn't use any more. */
  readonly #ending = new Set<Promise<void>>()
  #users = 0
  /** How many of them it works for at the moment. */
  #working = 0
  usedAt: number

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
    this.usedAt = deps.now()
  }

  get state(): ConnectionState {
    if (this.#opened !== undefined) return 'running'
    if (this.#opening !== undefined) return 'starting'
    return this.#failures > 0 ? 'failed' : 'stopped'
  }

  /** Why it failed last; '' if it didn't. */
  get why(): string {
    return this.#why
  }

  get about(): string | undefined {
    return this.#opened?.client.about
  }

  get isBusy(): boolean {
    return this.#users > 0 || (this.#opening !== undefined && this.#opened === undefined)
  }

  /**
   * Uses the server, which is started if need be. Throws `mcp_unreachable` if it can't be. `byItself`: at the server's
   * own wish, which keeps none running that nobody calls.
   */
  async use<T>(work: (opened: Opened) => Promise<T>, { byItself = false } = {}): Promise<T> {
    this.#users++
    try {
      const opened = await this.#healthy(!byItself)
      this.#working++
      const result = await work(opened)
        .catch((thrown: unknown) => {
          // Somebody may log in, perhaps in another process, and only a new connection goes by that.
          if (thrown instanceof Failure && thrown.code === 'mcp_login') this.#wornOut = opened
          throw thrown
        })
        .finally(() => this.#working--)
      this.#failures = 0
      this.#why = ''
      this.#heardAt = this.#deps.now()
      return result
    } finally {
      this.#users--
      if (!byItself) this.usedAt = this.#deps.now()
    }
  }

  /** It didn't answer in time, so it is asked whether it is still there before the next call. */
  suspect(): void {
    this.#isSuspect = true
  }

  /** The next use that has it for itself gets it newly started. False if that was wanted before. */
  renew(): boolean {
    const isNew = this.#opened !== this.#wornOut
    this.#wornOut = this.#opened
    return isNew
  }

  /** It said something, such as how far it is. */
  heard(): void {
    this.#heardAt = this.#deps.now()
    this.#isSuspect = false
  }

  /**
   * Resolves when none of its servers runs any more, also of those that were given up before. Whoever still wants to
   * use it is refused: nobody would end what it started then.
   */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#giveUp()
  }

  async #giveUp(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    this.#opened = undefined
    // One that is still starting isn't waited for.
    this.#givingUp.abort(new Error(wasStopped))
    this.#givingUp = new AbortController()
    const stopped = opening?.then(
      (opened) => opened.stop(),
      () => undefined,
    )
    if (stopped !== undefined) this.#end(stopped)
    await Promise.all(this.#ending)
  }

  #end(stopped: Promise<void>): void {
    const ending = stopped.catch(this.#deps.report).finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  async #healthy(mayRenew: boolean): Promise<Opened> {
    const isWornOut = mayRenew && this.#opened !== undefined && this.#opened === this.#wornOut
    if (isWornOut && this.#users === 1) await this.#giveUp()
    const opened = await this.#open()
    // One that works on a call may have no time to answer, and to replace it would end that call.
    const isQuiet = this.#working === 0 && this.#deps.now() - this.#heardAt > quietMs
    if (!isQuiet && !this.#isSuspect) return opened
    try {
      await opened.client.ping(AbortSignal.timeout(pingMs))
      this.heard()
      return opened
    } catch (thrown) {
      // To replace it would end the calls of others.
      if (this.#working > 0 && thrown instanceof Failure && thrown.code === 'mcp_other_answer') return opened
      // It hangs, so it is replaced.
      if (this.#opened === opened) await this.#giveUp()
      this.#isSuspect = false
      return this.#open()
    }
  }

  #open(): Promise<Opened> {
    if (this.#opening !== undefined) return this.#opening
    if (this.#isStopped) {
      const fact = mcpWords.serverUnusable({ server: this.#deps.name, why: wasStopped })
      return Promise.reject(new Failure('mcp_unreachable', fact, mcpWords.tryAgainRemedy()))
    }
    const pauseMs = this.#notBefore - this.#deps.now()
    if (pauseMs > 0) {
      const soon = mcpWords.restartDelayed({ seconds: Math.ceil(pauseMs / 1000) })
      return Promise.reject(
        new Failure('mcp_unreachable', mcpWords.failedBefore({ server: this.#deps.name, why: this.#why }), soon),
      )
    }
    const opening = this.#start(() => this.#lost(opening))
    this.#opening = opening
    opening.catch((thrown: unknown) => {
      if (this.#opening === opening) this.#failed(opening, reasonOf(thrown))
    })
    return opening
  }

  async #start(lost: () => void): Promise<Opened> {
    const { name, startMs, open, learned, mask } = this.#deps
    const limit = AbortSignal.timeout(startMs)
    let opened: Opened | undefined
    try {
      opened = await open(AbortSignal.any([limit, this.#givingUp.signal]), lost)
      this.#heardAt = this.#deps.now()
      this.#opened = opened
      await learned(opened.tools)
      return opened
    } catch (thrown) {
      if (opened !== undefined) this.#end(opened.stop())
      const why = oneLine(mask(limit.aborted ? `it did not start within ${startMs} ms` : reasonOf(thrown)), 500)
      const remedy = thrown instanceof Failure && thrown.remedy !== '' ? thrown.remedy : mcpWords.failedBeforeRemedy()
      throw new Failure('mcp_unreachable', mcpWords.serverUnusable({ server: name, why }), remedy, {
        cause: thrown,
      })
    }
  }

  /** The connection ended although nobody stopped it. */
  #lost(opening: Promise<Opened>): void {
    if (this.#opening !== opening || this.#opened === undefined) return
    const opened = this.#opened
    this.#failed(opening, 'its connection ended')
    const { report } = this.#deps
    void opened.ended.then((why) => {
      if (this.#why === 'its connection ended') this.#why = why
    }, report)
    this.#end(opened.stop())
  }

  #failed(opening: Promise<Opened>, why: string): void {
    if (this.#opening === opening) this.#opening = undefined
    this.#opened = undefined
    this.#failures++
    this.#why = why
    this.#notBefore = this.#deps.now() + pauseAfter(this.#failures)
  }
}

/** The first time it is started again at once. */
export const pauseAfter = (failures: number): number =>
  failures < 2 ? 0 : Math.min(longestPauseMs, 1000 * 2 ** (failures - 2))
