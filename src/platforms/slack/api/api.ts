import { setTimeout as sleep } from 'node:timers/promises'
import { WebAPIRateLimitedError, WebClient, type WebClientOptions } from '@slack/web-api'
import type { Clock } from '../../../kit/clock.ts'
import { type RateLimited, Scheduler, type Superseded, type WritingCall } from '../../calls/scheduler.ts'
import type { PlatformDeps } from '../../platform.ts'
import { isLimited, isPassing, translate } from './errors.ts'
import { isPerChannel, limits } from './limits.ts'
import type { SlackLogger } from './logger.ts'
import type { Standing } from './token-standing.ts'

export interface ApiOptions {
  botToken: string
  apiUrl: string | undefined
  clock: Clock
  isReplaced: PlatformDeps['isReplaced']
  logger: SlackLogger
  standing: Standing
}

/** How often a read is tried, and how long it waits for a busy Slack at most, ms. */
const readTries = 3
const longestWaitMs = 30_000
const callTimeoutMs = 10_000

type Run<T> = (client: WebClient) => Promise<T>

/** Options for every client of the library. Its own retries would post twice, and one 429 would hold up all calls. */
export const clientOptions = (apiUrl: string | undefined, logger: SlackLogger): WebClientOptions => ({
  ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
  logger,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  timeout: callTimeoutMs,
  allowAbsoluteUrls: false,
})

/** Slack's Web API: writes stay within its limits and are never repeated, reads are retried when Slack is busy. */
export class SlackApi {
  readonly #client: WebClient
  readonly #scheduler: Scheduler
  readonly #standing: Standing
  /** For downloads and uploads, which bypass the library. */
  readonly botToken: string

  constructor({ botToken, apiUrl, clock, isReplaced, logger, standing }: ApiOptions) {
    this.botToken = botToken
    this.#standing = standing
    this.#client = new WebClient(botToken, clientOptions(apiUrl, logger))
    this.#scheduler = new Scheduler({ clock, limits, isReplaced })
  }

  /** Throws NotPosted if the call certainly did nothing; anything else it throws leaves that open. */
  write<T>(call: WritingCall & { priority: 'answer' | 'card' }, run: Run<T>): Promise<T>
  write<T>(call: WritingCall, run: Run<T>): Promise<T | Superseded>
  write<T>(call: WritingCall, run: Run<T>): Promise<T | Superseded> {
    const scope: RateLimited['scope'] = isPerChannel(call.bucket) ? 'channel' : 'bucket'
    return this.#scheduler.schedule<T>(call, async () => {
      try {
        return await this.#call(run)
      } catch (thrown) {
        throw translate(thrown, scope)
      }
    })
  }

  /** For calls that read, or that may just as well happen twice. If `waits` is false, not for a busy Slack. */
  async read<T>(run: Run<T>, waits = true): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#call(run)
      } catch (thrown) {
        if (tries === readTries || !isPassing(thrown) || (isLimited(thrown) && !waits)) throw thrown
        const asked = thrown instanceof WebAPIRateLimitedError ? thrown.retryAfter * 1_000 : 0
        await sleep(Math.min(longestWaitMs, Math.max(asked, 200 * 2 ** tries)))
      }
    }
  }

  /**
   * One attempt, outside the limits and without retries: for what can't wait (a form's trigger lasts three seconds), or
   * has a fallback.
   */
  once<T>(run: Run<T>): Promise<T> {
    return this.#call(run)
  }

  /** Each call shows whether Slack still accepts the token. */
  async #call<T>(run: Run<T>): Promise<T> {
    try {
      const answer = await run(this.#client)
      this.#standing.accepted()
      return answer
    } catch (thrown) {
      this.#standing.refused(thrown)
      throw thrown
    }
  }

  /** Drops waiting progress with this key. Resolves when nothing with it is running, or the bot stops. */
  async letGo(coalesce: string): Promise<void> {
    const nothing = { bucket: 'nothing', priority: 'answer', coalesce } as const
    await this.#scheduler.schedule(nothing, async () => {}).catch(() => {})
  }

  stop(): Promise<void> {
    return this.#scheduler.stop()
  }
}
