import { ChannelType } from 'discord-api-types/v10'
import { apiError } from '../rest/errors.ts'
import { Snowflakes } from './snowflakes.ts'
import type { Channel, Member, Message, Role, User } from './types.ts'

/** The state: one guild, its people and channels, and direct messages. It has no rules. */
export class World {
  readonly ids = new Snowflakes()
  readonly guildId: string
  readonly guildName = 'Weavers'
  readonly ownerId: string
  readonly botId: string
  readonly users = new Map<string, User>()
  readonly members = new Map<string, Member>()
  readonly roles = new Map<string, Role>()
  readonly channels = new Map<string, Channel>()
  /** Channels that the bot doesn't see. */
  readonly unseen = new Map<string, Channel>()
  readonly #messages = new Map<string, Map<string, Message>>()

  constructor(own: { guildId: string; ownerId: string; botId: string }) {
    this.guildId = own.guildId
    this.ownerId = own.ownerId
    this.botId = own.botId
  }

  /** By id, or by name as tests write it. */
  user(who: string): User {
    const found = this.users.get(who) ?? [...this.users.values()].find(({ username }) => username === who)
    if (found === undefined) throw new Error(`Nobody here is called ${who}.`)
    return found
  }

  /** By id or name, of channels and threads; the newest where names repeat. */
  channel(which: string): Channel {
    const found =
      this.channels.get(which) ??
      this.unseen.get(which) ??
      [...this.channels.values()].findLast(({ name }) => name === which)
    if (found === undefined) throw new Error(`There is no channel ${which}.`)
    return found
  }

  role(which: string): Role {
    const found = this.roles.get(which) ?? [...this.roles.values()].find(({ name }) => name === which)
    if (found === undefined) throw new Error(`There is no role ${which}.`)
    return found
  }

  messagesIn(channelId: string): Message[] {
    return [...(this.#messages.get(channelId)?.values() ?? [])]
  }

  findMessage(channelId: string, id: string): Message | undefined {
    return this.#messages.get(channelId)?.get(id)
  }

  /** In any channel. */
  message(id: string): Message {
    for (const messages of this.#messages.values()) {
      const found = messages.get(id)
      if (found) return found
    }
    throw apiError(10008)
  }

  addMessage(message: Message): void {
    const messages = this.#messages.get(message.channelId) ?? new Map<string, Message>()
    this.#messages.set(message.channelId, messages.set(message.id, message))
  }

  removeMessage(message: Message): void {
    this.#messages.get(message.channelId)?.delete(message.id)
  }

  removeChannel(id: string): void {
    this.channels.delete(id)
    this.#messages.delete(id)
  }

  threadsOf(parentId: string): Channel[] {
    return [...this.channels.values()].filter(({ thread, parentId: parent }) => thread && parent === parentId)
  }

  parentOf(channel: Channel): Channel {
    return (channel.parentId !== null && channel.thread && this.channels.get(channel.parentId)) || channel
  }

  /** A channel of another server, or of people who talk to each other. */
  elsewhere(isServer: boolean): Channel {
    const guildId = isServer ? this.ids.next() : undefined
    const type = isServer ? ChannelType.GuildText : ChannelType.GroupDM
    const channel = newChannel(this.ids.next(), type, 'elsewhere', { elsewhere: { guildId } })
    this.unseen.set(channel.id, channel)
    return channel
  }

  /** The DM channel between the bot and a person, created on first use. */
  directMessages(userId: string): Channel {
    const found = [...this.channels.values()].find(({ recipientId }) => recipientId === userId)
    if (found) return found
    const channel = newChannel(this.ids.next(), ChannelType.DM, '', { recipientId: userId })
    this.channels.set(channel.id, channel)
    return channel
  }
}

export const newChannel = (id: string, type: ChannelType, name: string, rest: Partial<Channel> = {}): Channel => ({
  id,
  type,
  name,
  position: 0,
  topic: null,
  parentId: null,
  overwrites: [],
  lastMessageId: null,
  rateLimitPerUser: 0,
  ...rest,
})

export const isDirect = (channel: Channel): boolean => channel.type === ChannelType.DM
export const isForum = (channel: Channel): boolean =>
  channel.type === ChannelType.GuildForum || channel.type === ChannelType.GuildMedia
export const isPrivateThread = (channel: Channel): boolean => channel.type === ChannelType.PrivateThread
