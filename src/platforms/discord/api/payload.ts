import { type APIChannel, type APIMessage, type GatewayMessageCreateDispatchData, MessageType } from 'discord.js'

/** From the gateway, or from a read: then without server and member. */
export type Message = APIMessage & Pick<GatewayMessageCreateDispatchData, 'guild_id' | 'member'>

/** Everything else is Discord's own: somebody joined, a thread was made, a message was pinned. */
const spoken = new Set<MessageType>([
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
])

export const isSpoken = (message: Pick<Message, 'type'>): boolean => spoken.has(message.type)

/** The newest message of a channel, as far as Discord says. */
export const newestIn = (channel: APIChannel): string | undefined =>
  'last_message_id' in channel ? (channel.last_message_id ?? undefined) : undefined
