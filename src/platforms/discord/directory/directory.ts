import { type APIChannel, type APIUser, type Channel, ChannelType, type Client, Routes } from 'discord.js'
import { BoundedMap } from '../../bounded-map.ts'
import type { DiscordApi } from '../api/api.ts'
import { Code, codeOf } from '../api/errors.ts'

/** What we need to know about a channel. Threads are channels too. */
export interface Room {
  id: string
  kind: 'channel' | 'thread' | 'direct'
  /** For a thread: the channel whose members can read it too. A private thread has none. */
  parent: string | undefined
  name: string
}

const threadTypes = new Set<ChannelType>([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
])
const directTypes = new Set<ChannelType>([ChannelType.DM, ChannelType.GroupDM])

/** Names and channels, from what the library keeps; asks Discord for the rest. */
export class Directory {
  readonly #client: () => Client | undefined
  readonly #api: DiscordApi
  /** Threads that the library doesn't keep because they were archived at start. */
  readonly #asked = new BoundedMap<Room>(1_000)
  #self = ''
  readonly #asking = new Map<string, Promise<Room | undefined>>()

  constructor(client: () => Client | undefined, api: DiscordApi) {
    this.#client = client
    this.#api = api
  }

  /** Our own id; empty until it is known. */
  get self(): string {
    this.#self = this.#client()?.user?.id ?? this.#self
    return this.#self
  }

  /** Our own id; asks for it if it isn't known yet. */
  async learnSelf(): Promise<string> {
    if (this.self === '') this.#self = (await this.#api.read<APIUser>(Routes.user())).id
    return this.self
  }

  known(id: string): Room | undefined {
    const channel = this.#client()?.channels.cache.get(id)
    return channel ? toRoom(channel) : this.#asked.get(id)
  }

  /** Undefined if there is no such channel, or none that we may see. */
  async room(id: string): Promise<Room | undefined> {
    const known = this.known(id)
    if (known !== undefined) return known
    // Whoever asks meanwhile gets the same answer, in the order in which they asked.
    const asking = this.#asking.get(id) ?? this.#ask(id)
    this.#asking.set(id, asking)
    return await asking.finally(() => this.#asking.delete(id))
  }

  async #ask(id: string): Promise<Room | undefined> {
    try {
      const room = readRoom(await this.#api.read<APIChannel>(Routes.channel(id)))
      this.#asked.set(id, room)
      return room
    } catch (thrown) {
      if (codeOf(thrown) === Code.UnknownChannel || codeOf(thrown) === Code.MissingAccess) return undefined
      throw thrown
    }
  }

  remember(room: Room): void {
    this.#asked.set(room.id, room)
  }

  forget(id: string): void {
    this.#asked.delete(id)
    this.#client()?.channels.cache.delete(id)
  }

  /** Whether the bot is in this server. */
  isMember(guild: string): boolean {
    return this.#client()?.guilds.cache.has(guild) === true
  }

  roleName(guild: string, role: string): string | undefined {
    return this.#client()?.guilds.cache.get(guild)?.roles.cache.get(role)?.name
  }

  /** The role that came with the bot: people mistake it for the bot itself. */
  isOwnRole(guild: string, role: string): boolean {
    return this.#client()?.guilds.cache.get(guild)?.roles.cache.get(role)?.tags?.botId === this.self && this.self !== ''
  }
}

function toRoom(channel: Channel): Room {
  const { id } = channel
  if (channel.isThread()) return threadRoom(id, channel.type, channel.parentId, channel.name)
  if (channel.isDMBased()) return { ...noThread, id, kind: 'direct' }
  return { ...noThread, id, kind: 'channel', name: channel.name }
}

export function readRoom(channel: APIChannel): Room {
  const { id, type } = channel
  const name = 'name' in channel ? (channel.name ?? '') : ''
  if (threadTypes.has(type)) return threadRoom(id, type, 'parent_id' in channel ? channel.parent_id : null, name)
  if (directTypes.has(type)) return { ...noThread, id, kind: 'direct' }
  return { ...noThread, id, kind: 'channel', name }
}

const noThread = { parent: undefined, name: '' }

const threadRoom = (id: string, type: ChannelType, parent: string | null | undefined, name: string): Room => ({
  id,
  kind: 'thread',
  parent: type === ChannelType.PrivateThread ? undefined : (parent ?? undefined),
  name,
})
