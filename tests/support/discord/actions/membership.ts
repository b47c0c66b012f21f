import { GatewayIntentBits } from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import { channelPayload, memberWithUserPayload, threadMemberPayload } from '../world/channel-payloads.ts'
import { canSee } from '../world/permissions.ts'
import type { Channel } from '../world/types.ts'
import { isPrivateThread } from '../world/world.ts'

export function setArchived(context: Context, channel: Channel, archived: boolean): void {
  const { world, gateway } = context
  if (channel.thread === undefined) return
  Object.assign(channel.thread, { archived, archiveChangedAt: Date.now() })
  tellThread(context, channel)
  if (archived || !channel.thread.members.has(world.botId)) return
  const member = { ...threadMemberPayload(channel, world.botId), guild_id: world.guildId }
  gateway.dispatch('THREAD_MEMBER_UPDATE', member, { channel })
}

export const tellThread = ({ world, gateway }: Context, channel: Channel): void =>
  gateway.dispatch('THREAD_UPDATE', channelPayload(world, channel), { channel })

/** People join a thread by writing in it, or by being mentioned there if they can see the channel. */
export function joinThread(context: Context, channel: Channel, userId: string): void {
  const { world } = context
  const { thread } = channel
  if (thread === undefined || thread.members.has(userId)) return
  if (!canSee(world, world.parentOf(channel), userId)) return
  thread.members.set(userId, Date.now())
  if (userId === world.botId && isPrivateThread(channel)) {
    context.gateway.dispatch('THREAD_CREATE', channelPayload(world, channel), { channel })
  }
  tellMembers(context, channel, userId, {
    added_members: [threadMemberWithUser(context, channel, userId)],
    removed_member_ids: [],
  })
}

export function leaveThread(context: Context, channel: Channel, userId: string): void {
  if (!channel.thread?.members.has(userId)) return
  // Sent while the bot can still see it.
  const told = () => tellMembers(context, channel, userId, { added_members: [], removed_member_ids: [userId] })
  if (userId === context.world.botId) told()
  channel.thread.members.delete(userId)
  if (userId !== context.world.botId) told()
}

export const threadMemberWithUser = ({ world }: Context, channel: Channel, userId: string) => {
  const member = world.members.get(userId)
  return {
    ...threadMemberPayload(channel, userId),
    ...(member && { member: memberWithUserPayload(world, member) }),
    presence: null,
  }
}

/** Other members' changes are sent only with the Guild Members intent. */
function tellMembers(context: Context, channel: Channel, userId: string, change: Record<string, unknown>): void {
  const { world, gateway } = context
  if (userId !== world.botId && !gateway.hasIntent(GatewayIntentBits.GuildMembers)) return
  const { id, thread } = channel
  const member_count = Math.min(thread?.members.size ?? 0, 50)
  gateway.dispatch('THREAD_MEMBERS_UPDATE', { id, guild_id: world.guildId, member_count, ...change }, { channel })
}
