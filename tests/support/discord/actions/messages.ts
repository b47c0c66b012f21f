import { MessageType } from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import { memberWithUserPayload } from '../world/channel-payloads.ts'
import { noMentions } from '../world/mentions.ts'
import { dispatchedMessagePayload } from '../world/message-payloads.ts'
import type { Channel, Message } from '../world/types.ts'
import { isDirect } from '../world/world.ts'
import { joinThread, setArchived } from './membership.ts'

/** An empty message. */
export const draft = (context: Context, channel: Channel, authorId: string): Message => ({
  id: context.world.ids.next(),
  channelId: channel.id,
  authorId,
  type: MessageType.Default,
  content: '',
  embeds: [],
  components: [],
  attachments: [],
  flags: 0,
  mentions: noMentions(),
  reactions: new Map(),
})

/** Stores a message and sends the event. In a thread, the author joins and the thread is unarchived. */
export function addMessage(
  context: Context,
  channel: Channel,
  message: Message,
  copies = context.faults.copies,
): Message {
  const { world, gateway } = context
  world.addMessage(message)
  if (message.ephemeralTo !== undefined) return message
  const { thread } = channel
  if (thread) {
    if (thread.archived) setArchived(context, channel, false)
    if (message.type !== MessageType.ThreadStarterMessage) {
      thread.messageCount++
      thread.totalSent++
    }
    for (const userId of [message.authorId, ...message.mentions.users]) joinThread(context, channel, userId)
  }
  channel.lastMessageId = message.id
  const payload = dispatchedMessagePayload(context, message)
  for (let copy = 0; copy < copies; copy++) gateway.dispatch('MESSAGE_CREATE', payload, { channel, message })
  return message
}

export function changeMessage(context: Context, message: Message, changes: Partial<Message>, edited = true): Message {
  Object.assign(message, changes, edited ? { editedAt: Date.now() } : {})
  const channel = context.world.channels.get(message.channelId)
  if (channel && message.ephemeralTo === undefined) {
    context.gateway.dispatch('MESSAGE_UPDATE', dispatchedMessagePayload(context, message), { channel, message })
  }
  return message
}

export function deleteMessage(context: Context, message: Message): void {
  const { world, gateway } = context
  world.removeMessage(message)
  const channel = world.channels.get(message.channelId)
  if (channel === undefined || message.ephemeralTo !== undefined) return
  if (channel.thread) channel.thread.messageCount--
  const guild = isDirect(channel) ? {} : { guild_id: world.guildId }
  gateway.dispatch('MESSAGE_DELETE', { id: message.id, channel_id: channel.id, ...guild }, { channel })
}

export function react(context: Context, message: Message, userId: string, emoji: string, add: boolean): void {
  const { world, gateway } = context
  const users = message.reactions.get(emoji) ?? new Set<string>()
  if (users.has(userId) === add) return
  if (add) users.add(userId)
  else users.delete(userId)
  if (users.size > 0) message.reactions.set(emoji, users)
  else message.reactions.delete(emoji)
  const channel = world.channels.get(message.channelId)
  const member = world.members.get(userId)
  const inGuild = channel !== undefined && !isDirect(channel)
  gateway.dispatch(
    add ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
    {
      user_id: userId,
      channel_id: message.channelId,
      message_id: message.id,
      emoji: { id: null, name: emoji },
      burst: false,
      type: 0,
      ...(inGuild && { guild_id: world.guildId }),
      ...(inGuild && add && member && { member: memberWithUserPayload(world, member) }),
      ...(add && { message_author_id: message.authorId, burst_colors: [] }),
    },
    { ...(channel && { channel }) },
  )
}

/** All of a message, or all with this emoji: Discord doesn't say whose they were. */
export function clearReactions({ world, gateway }: Context, message: Message, emoji?: string): void {
  if (emoji === undefined) message.reactions.clear()
  else message.reactions.delete(emoji)
  const channel = world.channels.get(message.channelId)
  const where = { channel_id: message.channelId, message_id: message.id, guild_id: world.guildId }
  gateway.dispatch(
    emoji === undefined ? 'MESSAGE_REACTION_REMOVE_ALL' : 'MESSAGE_REACTION_REMOVE_EMOJI',
    { ...where, ...(emoji !== undefined && { emoji: { id: null, name: emoji } }) },
    { ...(channel && { channel }) },
  )
}
