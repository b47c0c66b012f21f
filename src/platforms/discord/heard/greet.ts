import { ChannelType, type Client, type Guild, Routes } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { Notes, PlatformDeps } from '../../platform.ts'
import { greeting } from '../../words/greeting.ts'
import type { DiscordApi } from '../api/api.ts'
import { missingPermissions } from '../directory/permissions.ts'
import { silent } from '../post/message.ts'

interface GreetDeps extends Pick<PlatformDeps, 'clock' | 'log'> {
  notes: Notes
  api: DiscordApi
  client(): Client | undefined
}

/** Each connection announces all servers: only those that the bot joined this recently are greeted. */
const recentMs = 86_400_000

/** Says hello in a server that somebody has invited the bot to, once, in a channel where it may write. */
export class Greeter {
  readonly #deps: GreetDeps
  /** Servers that are being looked at: a second announcement meanwhile says nothing new. */
  readonly #looking = new Set<string>()

  constructor(deps: GreetDeps) {
    this.#deps = deps
  }

  async server(id: string): Promise<void> {
    if (this.#looking.has(id)) return
    this.#looking.add(id)
    await this.#greet(id).finally(() => this.#looking.delete(id))
  }

  async #greet(id: string): Promise<void> {
    const { api, client, notes, clock, log } = this.#deps
    const name = `discord.greeted.${id}`
    // By the time that this is read, the library knows the server.
    const isNoted = (await notes.get(name)) !== undefined
    const server = client()?.guilds.cache.get(id)
    if (isNoted || server === undefined || Math.abs(clock.now() - server.joinedTimestamp) > recentMs) return
    const channel = placeIn(server, client())
    if (channel === undefined) return
    // Noted before it is said: rather no greeting after a crash than two.
    await notes.set(name, String(clock.now()))
    try {
      const body = { content: greeting(`@${server.client.user.username}`), allowed_mentions: silent }
      const call = { bucket: 'messages', channel, priority: 'card' } as const
      await api.write(call, { method: 'POST', route: Routes.channelMessages(channel), body })
    } catch (thrown) {
      log.info({ platform: 'discord', reason: reasonOf(thrown) }, 'the greeting could not be posted')
    }
  }
}

/** The channel for such messages if the server has one, otherwise the first. */
function placeIn({ systemChannelId, channels }: Guild, client: Client | undefined): string | undefined {
  const first = [...channels.cache.values()]
    .filter((one) => one.type === ChannelType.GuildText)
    .toSorted((one, other) => one.rawPosition - other.rawPosition)
    .map(({ id }) => id)
  return [systemChannelId, ...first].find(
    (id) => id !== null && missingPermissions(client, id, ['ViewChannel', 'SendMessages']).length === 0,
  ) as string | undefined
}
