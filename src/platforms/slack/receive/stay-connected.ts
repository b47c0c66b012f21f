import { setTimeout as sleep } from 'node:timers/promises'
import { WebAPIRateLimitedError } from '@slack/web-api'
import { Failure } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { Health } from '../../platform.ts'
import { appTokenReason, isCode, reasonIn } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'
import type { Taker } from './acknowledge.ts'
import { Connection, type ConnectionOptions, ConnectionRefused, type End } from './connection.ts'
import type { Intake } from './intake.ts'
import { Quiet, type QuietTimes, type Where } from './quiet.ts'

export interface StayOptions extends ConnectionOptions, QuietTimes {
  log: Log
  /** Before the second attempt, ms; doubled before each further one, up to `longestWaitMs`. */
  firstWaitMs: number
  longestWaitMs: number
  /** A replaced connection stays open for this long, ms. */
  lingerMs: number
  /** How long to wait if Slack wants no connection at all, ms. */
  unwantedMs: number
  /** How often the connection is checked, ms. */
  checkMs: number
  /** If Slack is silent for this long, it is gone, ms. */
  silentMs: number
  /** After each new connection. */
  onConnected(): void
  /** Something may be missed from now on. */
  onLost(): void
  /** Resolves with whether something was missed. */
  onQuiet(where: Where): Promise<boolean>
}

type Why = End | 'silent' | 'deaf'

/** Waiting doesn't help: the operator has to do something. */
const wrongToken = [
  'account_inactive',
  'invalid_auth',
  'missing_scope',
  'not_allowed_token_type',
  'not_authed',
  'team_disabled',
  'token_expired',
  'token_revoked',
]
/** Slack has to forget old connections, or a person has to switch something on. */
const takesTime = (why: Why): boolean => why === 'too_many_websockets' || why === 'link_disabled'

const words: Record<Why, () => string> = {
  refresh: slackWords.connectionRefreshed,
  link_disabled: slackWords.socketModeTurnedOff,
  too_many_websockets: slackWords.connectionLimitHit,
  lost: slackWords.connectionLost,
  silent: slackWords.connectionSilent,
  deaf: slackWords.connectionDeaf,
}

/**
 * Keeps one connection to Slack open: opens the next one before it closes the old one, whenever there is time for that.
 */
export class StayConnected implements Intake {
  readonly #options: StayOptions
  readonly #taker: Taker
  readonly #quiet: Quiet
  readonly #stopping = new AbortController()
  readonly #stopped = Promise.withResolvers<undefined>()
  #opening: Connection | undefined
  #current: Connection | undefined
  /** Connections that have been replaced. */
  readonly #old = new Set<Connection>()
  #replace: (why: Why) => void = () => {}
  #trouble = 'not connected yet'
  #checks: NodeJS.Timeout | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(options: StayOptions, taker: Taker) {
    this.#options = options
    this.#taker = taker
    this.#quiet = new Quiet(options)
  }

  /** Throws Failure if only the operator can fix it; otherwise it goes on trying after the first attempt. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>()
    this.#ended = this.#run(first)
    const { checkMs } = this.#options
    await first.promise
    this.#checks = setInterval(() => this.#check(), checkMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#checks)
    this.#stopping.abort()
    this.#stopped.resolve(undefined)
    void this.#opening?.close()
    await this.#ended
  }

  health(): Health {
    const current = this.#current
    if (!current?.isOpen) return { ok: false, detail: this.#trouble }
    const silentMs = Date.now() - current.heardAt
    const ok = silentMs < this.#options.silentMs
    return { ok, detail: ok ? 'connected' : slackWords.silentSeconds({ seconds: Math.round(silentMs / 1_000) }) }
  }

  async #run(first: PromiseWithResolvers<void>): Promise<void> {
    const { firstWaitMs, longestWaitMs, log, onConnected, onLost } = this.#options
    let failures = 0
    while (!this.#stopping.signal.aborted) {
      const old = this.#current
      const next = new Connection(this.#options, this.#taker, () => this.#quiet.heard(Date.now()))
      this.#opening = next
      try {
        await next.open()
      } catch (thrown) {
        if (isCode(thrown, ...wrongToken) && this.#quiet.heardAt === 0) return first.reject(tokenError(thrown))
        onLost()
        this.#trouble = thrown instanceof ConnectionRefused ? words[thrown.end]() : appTokenReason(thrown)
        log.warn({ platform: 'slack', reason: this.#trouble }, 'no connection')
        first.resolve()
        const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures++)
        await this.#pause(Math.max(waitMs, this.#askedWait(thrown)))
        continue
      }
      failures = 0
      this.#current = next
      if (old !== undefined) {
        if (!old.isOpen) onLost()
        this.#linger(old)
      }
      this.#quiet.opened(Date.now())
      first.resolve()
      onConnected()
      await this.#follow(next)
    }
    first.resolve()
    await Promise.all([...this.#old, this.#current].map((connection) => connection?.close()))
  }

  /** It still receives, and takes acks for, what was sent to it. */
  #linger(old: Connection): void {
    this.#old.add(old)
    setTimeout(() => {
      this.#old.delete(old)
      void old.close()
    }, this.#options.lingerMs).unref()
  }

  /** Until the connection has to be replaced. */
  async #follow(connection: Connection): Promise<void> {
    const replaced = Promise.withResolvers<Why>()
    this.#replace = replaced.resolve
    const why = await Promise.race([connection.ended, replaced.promise, this.#stopped.promise])
    if (why === undefined) return
    this.#trouble = words[why]()
    this.#options.log.info({ platform: 'slack', reason: why }, words[why]())
    // After a refresh the old one still receives what is under way.
    if (why !== 'refresh') {
      this.#options.onLost()
      await connection.close()
      this.#current = undefined
    }
    if (takesTime(why)) await this.#pause(this.#options.unwantedMs)
  }

  #check(): void {
    const { silentMs } = this.#options
    const now = Date.now()
    const current = this.#current
    if (!current?.isOpen) return
    const silent = now - current.heardAt >= silentMs
    if (silent) this.#replace('silent')
    const where = silent ? undefined : this.#quiet.due(now)
    if (where === undefined) return
    const { onQuiet, log } = this.#options
    onQuiet(where).then(
      (missed) => missed && current === this.#current && this.#replace('deaf'),
      (thrown) => log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'could not look for missed messages'),
    )
  }

  #askedWait(thrown: unknown): number {
    if (thrown instanceof WebAPIRateLimitedError) return thrown.retryAfter * 1_000
    return thrown instanceof ConnectionRefused && takesTime(thrown.end) ? this.#options.unwantedMs : 0
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}

const tokenError = (thrown: unknown): Failure =>
  new Failure('slack_app_token', slackWords.appTokenRefused(), slackWords.appTokenRefusedRemedy(), {
    cause: thrown,
  })
