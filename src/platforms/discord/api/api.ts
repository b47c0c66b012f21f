import { setTimeout as sleep } from 'node:timers/promises'
import { type RawFile, REST, RESTEvents, RequestMethod, type RouteLike } from 'discord.js'
import { RateLimited, Scheduler, type Superseded, type WritingCall } from '../../calls/scheduler.ts'
import type { PlatformDeps } from '../../platform.ts'
import { isPassing, isUnauthorised, limitedOr } from './errors.ts'
import { RefusedRequests } from './refused-requests.ts'

interface Sent {
  body?: unknown
  files?: RawFile[] | undefined
  query?: URLSearchParams
}

export interface Write extends Sent {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  route: RouteLike
}

export type Send = <T>(write: Write) => Promise<T>

/** The bucket of files that come later: nothing else waits for them. */
export const uploads = 'uploads'

/** Discord's own limit is 50 a second for everything. */
const overall = { perMinute: 2_400, burst: 40 }
/**
 * Usually 5 within 5 seconds for messages, and as many again for edits. The exact limits come with each answer: the
 * library knows them, and rejects what would be too much before it is sent.
 */
const inChannel = { perMinute: 60, burst: 5 }
/** How often a read is tried at most. */
const readAttempts = 4

/** Discord's HTTP interface. Writes go through the scheduler; reads are retried if that may help. */
export class DiscordApi {
  readonly #rest: REST
  /** The library sends one message at a time to a channel, however long that takes: uploads have their own client. */
  readonly #uploads: REST
  readonly #scheduler: Scheduler
  readonly #refused: RefusedRequests
  readonly #token: string
  /** Set while Discord doesn't accept our token. */
  #lockedOut = false
  /** Discord accepts it again. */
  onAccepted: () => void = () => {}

  constructor(rest: REST, deps: Pick<PlatformDeps, 'clock' | 'log' | 'isReplaced'> & { token: string }) {
    this.#rest = rest
    this.#uploads = new REST(rest.options).setToken(deps.token)
    this.#token = deps.token
    this.#refused = new RefusedRequests(deps)
    this.#scheduler = new Scheduler({
      clock: deps.clock,
      isReplaced: deps.isReplaced,
      overall,
      limits: () => undefined,
      spacing: (bucket) => (bucket === 'messages' || bucket === 'edits' ? inChannel : undefined),
    })
    for (const client of this.#clients)
      client.on(RESTEvents.InvalidRequestWarning, (refused) =>
        this.#refused.count(refused.count, refused.remainingTime),
      )
  }

  get #clients(): REST[] {
    return [this.#rest, this.#uploads]
  }

  get lockedOut(): boolean {
    return this.#lockedOut
  }

  /**
   * Runs a write when its turn comes; it is run again if there was no room for it. Rejects with NotPosted `later` if
   * its turn didn't come in time: then it wasn't run.
   */
  queued<T>(call: WritingCall & { priority: 'answer' | 'card' }, run: (send: Send) => Promise<T>): Promise<T>
  queued<T>(call: WritingCall, run: (send: Send) => Promise<T>): Promise<T | Superseded>
  queued<T>(call: WritingCall, run: (send: Send) => Promise<T>): Promise<T | Superseded> {
    return this.#scheduler.schedule<T>(call, async () => {
      const pauseMs = this.#refused.pauseMs()
      if (pauseMs > 0) throw new RateLimited(pauseMs, 'global')
      return await run(call.bucket === uploads ? this.#upload : this.#write)
    })
  }

  /** One request in its turn. The answer is what Discord documents. */
  write<T>(call: WritingCall & { priority: 'answer' | 'card' }, write: Write): Promise<T>
  write<T>(call: WritingCall, write: Write): Promise<T | Superseded>
  write<T>(call: WritingCall, write: Write): Promise<T | Superseded> {
    return this.queued<T>(call, (send) => send<T>(write))
  }

  async read<T>(route: RouteLike, query: Record<string, string> = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#refused.pauseMs() > 0) throw new RateLimited(this.#refused.pauseMs(), 'global')
        return (await this.#send(this.#rest, 'GET', route, { query: new URLSearchParams(query) })) as T
      } catch (thrown) {
        if (attempt === readAttempts || !isPassing(thrown)) throw thrown
        await sleep(thrown instanceof RateLimited ? Math.min(thrown.afterMs, 30_000) : 250 * 2 ** attempt, undefined, {
          ref: false,
        })
      }
    }
  }

  /** Answers an interaction: it has its own route and token, and none of our limits delay it. */
  async respond<T>(method: 'POST' | 'PATCH', route: RouteLike, body: unknown): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#rest.request({ method: methods[method], fullRoute: route, body, auth: false })) as T
      } catch (thrown) {
        const limited = limitedOr(thrown)
        // It has to be within three seconds; sending the same answer again is refused, and does no harm.
        if (attempt === 3 || !isPassing(thrown)) throw limited
        await sleep(limited instanceof RateLimited ? Math.min(limited.afterMs, 1_000) : 200)
      }
    }
  }

  async stop(): Promise<void> {
    await this.#scheduler.stop()
    for (const client of this.#clients) {
      client.clearHandlerSweeper()
      client.clearHashSweeper()
    }
  }

  readonly #write: Send = async <T>({ method, route, ...sent }: Write) =>
    (await this.#send(this.#rest, method, route, sent)) as T

  readonly #upload: Send = async <T>({ method, route, ...sent }: Write) =>
    (await this.#send(this.#uploads, method, route, sent)) as T

  async #send(
    client: REST,
    method: keyof typeof methods,
    route: RouteLike,
    { body, files, query }: Sent,
  ): Promise<unknown> {
    try {
      const answer = await client.request({
        method: methods[method],
        fullRoute: route,
        body,
        ...(files !== undefined && files.length > 0 && { files }),
        ...(query !== undefined && { query }),
      })
      const again = this.#lockedOut
      this.#lockedOut = false
      if (again) this.onAccepted()
      return answer
    } catch (thrown) {
      if (isUnauthorised(thrown)) {
        this.#lockedOut = true
        // The library throws the token away: after one refusal it would never be tried again.
        client.setToken(this.#token)
      }
      throw limitedOr(thrown)
    }
  }
}

const methods = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PATCH: RequestMethod.Patch,
  PUT: RequestMethod.Put,
  DELETE: RequestMethod.Delete,
} as const
