import { type Client, Events, GatewayDispatchEvents } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { PlatformDeps } from '../../platform.ts'

/** What the rest of the adapter does with a connection. */
export interface Listeners {
  /** For each new client, before it connects. */
  attach(client: Client): void
  /** The connection is gone, for now or for good. */
  lost(): void
  /** The session continues, and has sent what was said meanwhile. */
  resumed(): void
  /** A new session: what was said since the last one isn't sent by itself. */
  fresh(): void
  /** All servers of a new session are known now, except for these. */
  known(missing: Iterable<string>): void
  /** Nothing was heard for a while. True if Discord has something that we weren't sent. */
  missing(): Promise<boolean>
}

/** What a client reports about its connection. */
export interface ClientSigns {
  /** Anything at all arrived. */
  event(): void
  ready(): void
  reconnecting(): void
  disconnected(code: number): void
}

/** Follows a client for as long as `isOurs` says so: one that was replaced keeps talking for a while. */
export function followClient(
  client: Client,
  isOurs: () => boolean,
  signs: ClientSigns,
  listeners: Omit<Listeners, 'attach' | 'missing'>,
  log: PlatformDeps['log'],
): void {
  const ours = (what: () => void) => () => {
    if (isOurs()) what()
  }
  const ready = ours(() => signs.ready())
  client.on(
    Events.Raw,
    ours(() => signs.event()),
  )
  client.ws.on(
    GatewayDispatchEvents.Ready,
    ours(() => listeners.fresh()),
  )
  client.on(Events.ShardReady, ready)
  client.on(Events.ShardReady, (_, missing = new Set()) => {
    if (isOurs()) listeners.known(missing)
  })
  client.on(Events.ShardResume, ready)
  client.on(
    Events.ShardResume,
    ours(() => listeners.resumed()),
  )
  client.on(
    Events.ShardReconnecting,
    ours(() => {
      listeners.lost()
      signs.reconnecting()
    }),
  )
  client.on(Events.ShardDisconnect, ({ code }) => {
    if (!isOurs()) return
    listeners.lost()
    signs.disconnected(code)
  })
  client.on(Events.ShardError, (error) => log.warn({ error: reasonOf(error) }, 'the connection to Discord failed'))
  client.on(Events.Error, (error) => log.error({ error: reasonOf(error) }, 'the Discord library failed'))
  client.on(Events.Warn, (message) => log.warn({ message }, 'the Discord library warns'))
}
