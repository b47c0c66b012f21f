import { SimpleShardingStrategy, type WebSocketShard } from 'discord.js'

type Socket = { on(event: 'error', listener: () => void): unknown; readyState: number; terminate(): void }

const connecting = 0

/**
 * The library's own way to connect. When it gives up a socket that has not opened yet, it takes its error listener away
 * and leaves the socket to itself: what goes wrong with it then would end the process.
 */
export class QuietStrategy extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds)
    // Neither these nor their sockets are told to anybody; the library has no other place to get hold of them.
    const { shards } = this as unknown as { shards: Map<number, WebSocketShard> }
    for (const shard of shards.values()) {
      const destroy = shard.destroy.bind(shard)
      shard.destroy = async (options) => {
        const { connection } = shard as unknown as { connection: Socket | null }
        connection?.on('error', () => {})
        await destroy(options)
        if (connection?.readyState === connecting) connection.terminate()
      }
    }
  }
}
