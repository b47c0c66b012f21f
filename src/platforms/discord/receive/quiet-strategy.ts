import { SimpleShardingStrategy } from 'discord.js'

interface Socket {
  readyState: number
  on(event: 'error', listener: () => void): unknown
  terminate(): void
}

interface Shard {
  connection: Socket | null
  destroy(options?: object): Promise<void>
}

const connecting = 0

/**
 * The library's own way to connect. When it gives up a socket that hasn't opened yet, it removes its error listener and
 * abandons the socket: a later error on it would end the process.
 */
export class QuietStrategy extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds)
    // Shards and their sockets are private to the library, and there is no other way to reach them.
    const { shards } = this as unknown as { shards: Map<number, Shard> }
    for (const shard of shards.values()) {
      const destroy = shard.destroy.bind(shard)
      shard.destroy = async (options) => {
        const { connection } = shard
        connection?.on('error', () => {})
        await destroy(options)
        if (connection?.readyState === connecting) connection.terminate()
      }
    }
  }
}
