import type { Client } from 'discord.js'
import { type Failure, reasonOf } from '../../../kit/failure.ts'
import type { Health, PlatformDeps } from '../../platform.ts'
import { limitedOr } from '../api/errors.ts'
import type { DiscordSettings } from '../api/rest.ts'
import { createClient } from './client.ts'
import { type ClientSigns, followClient, type Listeners } from './follow-client.ts'
import { type ConnectionState, healthOf } from './health.ts'
import { IdentifyBudget } from './identify-budget.ts'
import { refusedLogin } from './login-failures.ts'
import { Pulse } from './pulse.ts'
import { QuietStrategy } from './quiet-strategy.ts'
import { type ConnectionTiming, retryAfter } from './timing.ts'

/**
 * Keeps one connection to the gateway. The library resumes and reconnects; what it doesn't notice, or can't recover
 * from, is noticed here. Running turns don't depend on it.
 */
export class Connection {
  readonly #settings: DiscordSettings
  readonly #deps: PlatformDeps
  readonly #listeners: Listeners
  readonly #timing: ConnectionTiming
  readonly #budget: IdentifyBudget
  #client: Client | undefined
  #refused: Failure | undefined
  #stopped = false
  #watch: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #lastFailure: string | undefined
  readonly #pulse: Pulse
  /** When the connection was opened, and since when it has been ready; ms. */
  #opened = 0
  #ready: number | undefined
  #looking = false
  #closing = false
  readonly #signs: ClientSigns = {
    event: () => this.#pulse.event(),
    ready: () => {
      this.#ready = this.#deps.clock.now()
      this.#pulse.event()
    },
    reconnecting: () => {
      this.#ready = undefined
      this.#opened = this.#deps.clock.now()
    },
    disconnected: (code) => {
      this.#ready = undefined
      this.#failed(undefined, code)
    },
  }

  constructor(settings: DiscordSettings, deps: PlatformDeps, listeners: Listeners, timing: ConnectionTiming) {
    this.#settings = settings
    this.#deps = deps
    this.#listeners = listeners
    this.#timing = timing
    this.#budget = new IdentifyBudget(deps, timing.spacingMs)
    this.#pulse = new Pulse(deps.clock)
  }

  get client(): Client | undefined {
    return this.#client
  }

  /**
   * Resolves when connected, or if that takes long: then it continues by itself. Throws Failure if it can't connect.
   */
  async start(): Promise<void> {
    const { promise: tooLong, resolve } = Promise.withResolvers<void>()
    const patience = setTimeout(resolve, this.#timing.startMs)
    try {
      await Promise.race([this.#open(), tooLong])
    } finally {
      clearTimeout(patience)
    }
    const refused = this.#refused
    if (refused !== undefined) {
      await this.stop()
      throw refused
    }
    if (!this.#stopped) this.#watch = setInterval(() => this.#look(), this.#timing.lookMs)
  }

  /** Connects while the bot works: whatever fails is tried again, and told by `health`. */
  begin(): void {
    this.#stopped = false
    this.#refused = undefined
    this.#pulse.begin()
    void this.#open()
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#look(), this.#timing.lookMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#watch)
    clearTimeout(this.#retry)
    await this.#close()
  }

  health(): Health {
    const state: ConnectionState = {
      refused: this.#refused,
      isStopped: this.#stopped,
      isReady: this.#ready !== undefined,
      lastFailure: this.#lastFailure,
      waitingUntil: this.#budget.waitingUntil,
      silentMs: this.#pulse.silentMs,
    }
    return healthOf(state, this.#deps.clock.now(), this.#timing.silentMs)
  }

  async #open(): Promise<void> {
    const client = createClient(this.#settings, this.#timing, {
      buildStrategy: (manager) => new QuietStrategy(manager),
      buildIdentifyThrottler: (manager) => ({
        waitForIdentify: (_shard, signal) =>
          this.#budget.begin(async () => (await manager.fetchGatewayInformation(true)).session_start_limit, signal),
      }),
    })
    this.#client = client
    this.#opened = this.#deps.clock.now()
    this.#ready = undefined
    followClient(client, () => this.#client === client, this.#signs, this.#listeners, this.#deps.log)
    this.#listeners.attach(client)
    try {
      await client.login(this.#settings.token)
      this.#failures = 0
      this.#lastFailure = undefined
    } catch (thrown) {
      if (this.#client === client) this.#failed(thrown)
    }
  }

  #failed(thrown: unknown, code?: number): void {
    if (this.#stopped) return
    const refused = refusedLogin(thrown, code)
    if (refused !== undefined) this.#refused = refused
    else if (this.#refused !== undefined) return
    this.#deps.log.error(
      { error: refused?.message ?? reasonOf(limitedOr(thrown)), code },
      'could not connect to Discord',
    )
    this.#failures += 1
    if (thrown !== undefined) this.#lastFailure = `connecting; the last attempt failed: ${reasonOf(limitedOr(thrown))}`
    // If somebody fixes it in Discord's portal, the bot doesn't have to be restarted, but a token is read only at
    // start.
    if (refused?.code === 'discord_token') return
    const waitMs = retryAfter(this.#timing, this.#failures, refused !== undefined)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#again('it failed'), waitMs)
  }

  /** Checks the connection from outside. */
  #look(): void {
    const { clock } = this.#deps
    const { stuckMs, silentMs, quietMs, lastingMs } = this.#timing
    const now = clock.now()
    this.#pulse.look(this.#client)
    if (this.#refused !== undefined || this.#budget.waitingUntil !== undefined) return
    if (this.#looking || this.#closing) return
    if (this.#ready === undefined) {
      if (now - this.#opened > stuckMs) void this.#again('it could not be established')
      return
    }
    if (now - this.#ready > lastingMs) this.#budget.lasted()
    if (this.#pulse.silentMs > silentMs * 1.5) void this.#again('it was silent')
    else if (this.#pulse.quietMs > quietMs) void this.#probe()
  }

  /** A connection that answers may still receive nothing: then Discord has messages that we weren't sent. */
  async #probe(): Promise<void> {
    this.#looking = true
    try {
      const deaf = await this.#listeners.missing()
      this.#pulse.asked()
      if (deaf) await this.#again('messages were not delivered')
    } catch (thrown) {
      this.#deps.log.warn({ error: reasonOf(thrown) }, 'Discord could not be asked for missing messages')
    } finally {
      this.#looking = false
    }
  }

  async #again(why: string): Promise<void> {
    if (this.#stopped || this.#closing) return
    // One attempt is enough, whoever wanted it.
    clearTimeout(this.#retry)
    this.#deps.log.warn({ why }, 'reconnecting to Discord')
    this.#refused = undefined
    this.#closing = true
    await this.#close()
    this.#closing = false
    if (!this.#stopped) await this.#open()
  }

  async #close(): Promise<void> {
    const client = this.#client
    this.#ready = undefined
    this.#listeners.lost()
    if (client === undefined) return
    try {
      await Promise.race([
        client.destroy(),
        new Promise((resolve) => setTimeout(resolve, this.#timing.closeMs).unref()),
      ])
    } catch (thrown) {
      this.#deps.log.warn({ error: reasonOf(thrown) }, 'the connection to Discord did not close well')
    }
  }
}
