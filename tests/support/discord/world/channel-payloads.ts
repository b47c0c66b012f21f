import { ChannelType } from 'discord-api-types/v10'
import { permissionsIn } from './permissions.ts'
import { isoTime, timeOf } from './snowflakes.ts'
import type { Channel, Member } from './types.ts'
import { isDirect, isForum, type World } from './world.ts'

export type Payload = Record<string, unknown>

export const threadMemberPayload = (channel: Channel, userId: string): Payload => ({
  id: channel.id,
  user_id: userId,
  join_timestamp: isoTime(channel.thread?.members.get(userId) ?? timeOf(channel.id)),
  flags: 0,
})

const directPayload = (world: World, channel: Channel): Payload => ({
  id: channel.id,
  type: channel.type,
  flags: 0,
  last_message_id: channel.lastMessageId,
  recipients: [world.users.get(channel.recipientId ?? '')],
})

function threadPayload(world: World, channel: Channel): Payload {
  const { thread } = channel
  if (thread === undefined) throw new Error(`${channel.name} is no thread.`)
  return {
    id: channel.id,
    type: channel.type,
    flags: 0,
    guild_id: world.guildId,
    parent_id: channel.parentId,
    owner_id: thread.ownerId,
    name: channel.name,
    last_message_id: channel.lastMessageId,
    rate_limit_per_user: channel.rateLimitPerUser,
    message_count: thread.messageCount,
    total_message_sent: thread.totalSent,
    member_count: Math.min(thread.members.size, 50),
    applied_tags: thread.appliedTags,
    thread_metadata: {
      archived: thread.archived,
      archive_timestamp: isoTime(thread.archiveChangedAt),
      auto_archive_duration: thread.autoArchiveMinutes,
      locked: thread.locked,
      create_timestamp: isoTime(timeOf(channel.id)),
      ...(channel.type === ChannelType.PrivateThread && { invitable: thread.invitable }),
    },
    ...(thread.members.has(world.botId) && { member: threadMemberPayload(channel, world.botId) }),
  }
}

/** A channel as the bot receives it. */
export function channelPayload(world: World, channel: Channel): Payload {
  if (isDirect(channel)) return directPayload(world, channel)
  if (channel.thread) return threadPayload(world, channel)
  return {
    id: channel.id,
    type: channel.type,
    flags: 0,
    guild_id: world.guildId,
    name: channel.name,
    position: channel.position,
    topic: channel.topic,
    parent_id: channel.parentId,
    last_message_id: channel.lastMessageId,
    rate_limit_per_user: channel.rateLimitPerUser,
    permission_overwrites: channel.overwrites,
    nsfw: false,
    ...(isForum(channel) && { available_tags: [], default_reaction_emoji: null, default_sort_order: null }),
  }
}

/** The channel of an interaction. */
export const partialChannelPayload = (world: World, channel: Channel, userId: string): Payload => {
  const { id, type, name, elsewhere } = channel
  if (elsewhere) return { id, type, name, ...(elsewhere.guildId && { guild_id: elsewhere.guildId }) }
  const { member: _, ...payload } = channelPayload(world, channel)
  return { ...payload, permissions: String(permissionsIn(world, channel, userId)) }
}

export const memberPayload = (member: Member): Payload => ({
  avatar: null,
  banner: null,
  communication_disabled_until: null,
  flags: 0,
  joined_at: isoTime(member.joinedAt),
  nick: null,
  pending: false,
  premium_since: null,
  roles: member.roles,
  mute: false,
  deaf: false,
})

export const memberWithUserPayload = (world: World, member: Member): Payload => ({
  ...memberPayload(member),
  user: world.users.get(member.userId),
})
