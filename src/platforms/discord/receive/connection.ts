import { type Client, Events, GatewayDispatchEvents } from 'discord.js'
import { type Failure, reasonOf } from '../../../kit/failure.ts'
import type { Health, PlatformDeps } from '../../platform.ts'
import { limitedOr } from '../api/errors.ts'
import type { DiscordSettings } from '../api/rest.ts'
import { createClient } from './client.ts'
import { IdentifyBudget } from './identify-budget.ts'
import { refusedLogin } from './login-failures.ts'
import { Pulse } from './pulse.ts'
import { QuietStrategy } from './quiet-strategy.ts'

/** How long what may take, in ms. */
export interface ConnectionTiming {
  /** The bot starts without Discord when connecting takes longer. */
  startMs: number
  /** How often the connection is looked at. */
  lookMs: number
  /** A connection that does not come about within it is made anew. */
  stuckMs: number
  /** Heartbeats come every 41 s or so: without any sign for so long, something is wrong. */
  silentMs: number
  /** Without any event for so long, Discord is asked whether there was one. */
  quietMs: number
  /** A session that has lasted so long counts as good. */
  lastingMs: number
  /** Discord wants so much time between two new sessions. */
  spacingMs: number
  /** Between attempts to connect; doubles up to the longest. */
  retryMs: number
  longestRetryMs: number
  /** Closing waits so long for the other side. */
  closeMs: number
}

/** What the rest of the adapter does with a connection. */
export interface Listeners {
  /** For each new client, before it connects. */
  attach(client: Client): void
  /** A new session: what was said since the last one is not told by itself. */
  fresh(): void
  /** All servers of a new session are known now. */
  known(): void
  /** Nothing was heard for a while. True when Discord has something that we were not told. */
  missing(): Promise<boolean>
}

/**
 * Keeps one connection to the gateway. Resuming and reconnecting is the library's; what it does not notice, or does not get
 * over, is noticed here. What the bot is working on does not depend on it.
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
  /** When the connection was opened, and since when it is ready; ms. */
  #opened = 0
  #ready: number | undefined
  #looking = false
  #closing = false

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

  /** Resolves when connected, or when that takes long: it goes on by itself. Throws Failure when it cannot come about. */
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
    this.#watch = setInterval(() => this.#look(), this.#timing.lookMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#watch)
    clearTimeout(this.#retry)
    await this.#close()
  }

  health(): Health {
    const now = this.#deps.clock.now()
    if (this.#refused !== undefined) return bad(`${this.#refused.message}. ${this.#refused.remedy}`)
    if (this.#stopped) return bad('stopped')
    const until = this.#budget.waitingUntil
    if (until !== undefined) {
      const seconds = Math.ceil(Math.max(0, until - now) / 1000)
      return bad(`waits ${seconds} s before it connects again: too many connections did not last`)
    }
    if (this.#ready === undefined) return bad(this.#lastFailure ?? 'connecting')
    const { silentMs } = this.#pulse
    if (silentMs > this.#timing.silentMs) {
      return bad(`the connection has been silent for ${Math.round(silentMs / 1000)} s`)
    }
    return { ok: true, detail: 'connected' }
  }

  async #open(): Promise<void> {
    const client = createClient(this.#settings, {
      buildStrategy: (manager) => new QuietStrategy(manager),
      buildIdentifyThrottler: (manager) => ({
        waitForIdentify: (_shard, signal) =>
          this.#budget.begin(async () => (await manager.fetchGatewayInformation(true)).session_start_limit, signal),
      }),
    })
    this.#client = client
    this.#opened = this.#deps.clock.now()
    this.#ready = undefined
    this.#follow(client)
    this.#listeners.attach(client)
    try {
      await client.login(this.#settings.token)
      this.#failures = 0
      this.#lastFailure = undefined
    } catch (thrown) {
      if (this.#client === client) this.#failed(thrown)
    }
  }

  /** What is asked of a client that is not ours any more is not our business. */
  #follow(client: Client): void {
    const { clock, log } = this.#deps
    const ours = (what: () => void) => () => {
      if (this.#client === client) what()
    }
    client.on(
      Events.Raw,
      ours(() => this.#pulse.event()),
    )
    client.ws.on(
      GatewayDispatchEvents.Ready,
      ours(() => this.#listeners.fresh()),
    )
    const ready = ours(() => {
      this.#ready = clock.now()
      this.#pulse.event()
    })
    client.on(Events.ShardReady, ready)
    client.on(
      Events.ShardReady,
      ours(() => this.#listeners.known()),
    )
    client.on(Events.ShardResume, ready)
    client.on(
      Events.ShardReconnecting,
      ours(() => {
        this.#ready = undefined
        this.#opened = clock.now()
      }),
    )
    client.on(Events.ShardDisconnect, ({ code }) => {
      if (this.#client !== client) return
      this.#ready = undefined
      this.#failed(undefined, code)
    })
    client.on(Events.ShardError, (error) => log.warn({ error: reasonOf(error) }, 'the connection to Discord failed'))
    client.on(Events.Error, (error) => log.error({ error: reasonOf(error) }, 'the Discord library failed'))
    client.on(Events.Warn, (message) => log.warn({ message }, 'the Discord library warns'))
  }

  #failed(thrown: unknown, code?: number): void {
    if (this.#stopped) return
    const refused = refusedLogin(thrown, code)
    if (refused !== undefined) this.#refused = refused
    else if (this.#refused !== undefined) return
    this.#deps.log.error(
      { error: refused?.message ?? reasonOf(limitedOr(thrown)), code },
      'Discord could not be connected to',
    )
    this.#failures += 1
    if (thrown !== undefined) this.#lastFailure = `connecting; the last attempt failed: ${reasonOf(limitedOr(thrown))}`
    // Whoever mends it in Discord's portal need not restart the bot; a token is read at start only.
    if (refused?.code === 'discord_token') return
    const { retryMs, longestRetryMs } = this.#timing
    const waitMs = refused ? longestRetryMs : Math.min(retryMs * 2 ** (this.#failures - 1), longestRetryMs)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#again('it failed'), waitMs)
  }

  /** Looks at the connection from outside. */
  #look(): void {
    const { clock } = this.#deps
    const { stuckMs, silentMs, quietMs, lastingMs } = this.#timing
    const now = clock.now()
    this.#pulse.look(this.#client)
    if (this.#refused !== undefined || this.#budget.waitingUntil !== undefined) return
    if (this.#looking || this.#closing) return
    if (this.#ready === undefined) {
      if (now - this.#opened > stuckMs) void this.#again('it did not come about')
      return
    }
    if (now - this.#ready > lastingMs) this.#budget.lasted()
    if (this.#pulse.silentMs > silentMs * 1.5) void this.#again('it was silent')
    else if (this.#pulse.quietMs > quietMs) void this.#probe()
  }

  /** A connection that answers can be deaf all the same: then Discord knows of messages that we were not told. */
  async #probe(): Promise<void> {
    this.#looking = true
    try {
      const deaf = await this.#listeners.missing()
      this.#pulse.asked()
      if (deaf) await this.#again('messages were not told')
    } catch (thrown) {
      this.#deps.log.warn({ error: reasonOf(thrown) }, 'Discord could not be asked for missing messages')
    } finally {
      this.#looking = false
    }
  }

  async #again(why: string): Promise<void> {
    if (this.#stopped || this.#closing) return
    this.#deps.log.warn({ why }, 'the connection to Discord is made anew')
    this.#refused = undefined
    this.#closing = true
    await this.#close()
    this.#closing = false
    if (!this.#stopped) await this.#open()
  }

  async #close(): Promise<void> {
    const client = this.#client
    this.#ready = undefined
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

const bad = (detail: string): Health => ({ ok: false, detail })
