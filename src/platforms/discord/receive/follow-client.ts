import { type Client, Events, GatewayDispatchEvents, type GatewayReadyDispatchData } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { PlatformDeps } from '../../platform.ts'

/** What the rest of the adapter does with a connection. */
export interface Listeners {
  /** For each new client, before it connects. */
  attach(client: Client): void
  /** The connection of a shard is gone, for now or for good; without a shard, the client is. */
  lost(shard?: number): void
  /** The session continues, and has sent what was said meanwhile. */
  resumed(shard: number): void
  /** A new session: what was said since the last one isn't sent by itself. */
  fresh(ready: GatewayReadyDispatchData): void
  /** No other servers of a new session are waited for. */
  known(shard: number): void
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
  const ours =
    <Args extends unknown[]>(what: (...args: Args) => void) =>
    (...args: Args) => {
      if (isOurs()) what(...args)
    }
  const ready = ours(() => signs.ready())
  client.on(
    Events.Raw,
    ours(() => signs.event()),
  )
  client.ws.on(
    GatewayDispatchEvents.Ready,
    ours((data: GatewayReadyDispatchData) => listeners.fresh(data)),
  )
  client.on(Events.ShardReady, ready)
  client.on(
    Events.ShardReady,
    ours((shard: number) => listeners.known(shard)),
  )
  client.on(Events.ShardResume, ready)
  client.on(
    Events.ShardResume,
    ours((shard: number) => listeners.resumed(shard)),
  )
  client.on(
    Events.ShardReconnecting,
    ours((shard: number) => {
      listeners.lost(shard)
      signs.reconnecting()
    }),
  )
  client.on(
    Events.ShardDisconnect,
    ours(({ code }: { code: number }, shard: number) => {
      listeners.lost(shard)
      signs.disconnected(code)
    }),
  )
  client.on(Events.ShardError, (error) => log.warn({ error: reasonOf(error) }, 'the connection to Discord failed'))
  client.on(Events.Error, (error) => log.error({ error: reasonOf(error) }, 'the Discord library failed'))
  client.on(Events.Warn, (message) => log.warn({ message }, 'the Discord library warns'))
}
