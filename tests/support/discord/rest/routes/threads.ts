import { ChannelType } from 'discord-api-types/v10'
import { compose } from '../../actions/compose.ts'
import { joinThread, leaveThread, threadMemberWithUser } from '../../actions/membership.ts'
import { addMessage, draft } from '../../actions/messages.ts'
import { type NewThread, openThread } from '../../actions/threads.ts'
import type { MessageForm } from '../../rules/message.ts'
import { channelPayload, threadMemberPayload } from '../../world/channel-payloads.ts'
import { messagePayload } from '../../world/message-payloads.ts'
import { canSee, requirePermissions } from '../../world/permissions.ts'
import type { Channel } from '../../world/types.ts'
import { isForum, isPrivateThread } from '../../world/world.ts'
import { json, noContent } from '../answer.ts'
import { channelOf, type Handler, type Incoming, messageOf } from '../call.ts'
import { apiError } from '../errors.ts'

interface ThreadForm {
  name: string
  auto_archive_duration?: number | null
  type?: ChannelType | null
  invitable?: boolean | null
  applied_tags?: string[] | null
  message?: MessageForm
}

function optionsOf({ context, body }: Incoming, type: ChannelType): NewThread {
  const form = body as unknown as ThreadForm
  return {
    name: form.name,
    ownerId: context.world.botId,
    type,
    ...(form.auto_archive_duration != null && { autoArchiveMinutes: form.auto_archive_duration }),
    ...(form.invitable != null && { invitable: form.invitable }),
    ...(form.applied_tags && { appliedTags: form.applied_tags }),
  }
}

const typeIn = ({ type }: Channel): ChannelType =>
  type === ChannelType.GuildAnnouncement ? ChannelType.AnnouncementThread : ChannelType.PublicThread

const fromMessage: Handler = (incoming) => {
  const { context } = incoming
  const { world } = context
  const parent = channelOf(incoming)
  if (parent.thread || isForum(parent)) throw apiError(50024)
  requirePermissions(world, parent, world.botId, 'CreatePublicThreads', 'ReadMessageHistory')
  const from = messageOf(incoming)
  if (world.channels.has(from.id)) throw apiError(160004)
  const thread = openThread(context, parent, { ...optionsOf(incoming, typeIn(parent)), from })
  return json(channelPayload(world, thread), 201)
}

const withoutMessage: Handler = (incoming) => {
  const { context } = incoming
  const { world } = context
  const parent = channelOf(incoming)
  if (isForum(parent)) return forumPost(incoming, parent)
  if (parent.thread) throw apiError(50024)
  const form = incoming.body as unknown as ThreadForm
  const type = form.type ?? ChannelType.PrivateThread
  const isPrivate = type === ChannelType.PrivateThread
  requirePermissions(world, parent, world.botId, isPrivate ? 'CreatePrivateThreads' : 'CreatePublicThreads')
  return json(channelPayload(world, openThread(context, parent, optionsOf(incoming, type))), 201)
}

function forumPost(incoming: Incoming, parent: Channel) {
  const { context, files } = incoming
  const { world } = context
  requirePermissions(world, parent, world.botId, 'SendMessages')
  const form = incoming.body as unknown as ThreadForm
  const first = draft(context, parent, world.botId)
  const composed = compose(context, parent, first, form.message ?? {}, { files })
  const thread = openThread(context, parent, optionsOf(incoming, ChannelType.PublicThread))
  // The post's first message shares its id.
  const attachments = composed.attachments.map((one) => ({ ...one, channelId: thread.id }))
  const message = { ...first, ...composed, attachments, id: thread.id, channelId: thread.id }
  addMessage(context, thread, message)
  return json({ ...channelPayload(world, thread), message: messagePayload(context, message) }, 201)
}

const archived =
  (wanted: (channel: Channel, botId: string) => boolean, needsModerator: boolean): Handler =>
  (incoming) => {
    const { world } = incoming.context
    const parent = channelOf(incoming)
    requirePermissions(
      world,
      parent,
      world.botId,
      'ReadMessageHistory',
      ...(needsModerator ? (['ManageThreads'] as const) : []),
    )
    const before = Date.parse(incoming.query.get('before') ?? '') || Number.POSITIVE_INFINITY
    const found = world
      .threadsOf(parent.id)
      .filter((one) => one.thread?.archived && wanted(one, world.botId))
      .filter((one) => (one.thread?.archiveChangedAt ?? 0) < before)
      .toSorted((a, b) => (b.thread?.archiveChangedAt ?? 0) - (a.thread?.archiveChangedAt ?? 0))
    const limit = Number(incoming.query.get('limit') ?? 50)
    return json(threadList(incoming, found.slice(0, limit), { has_more: found.length > limit }))
  }

const threadList = ({ context: { world } }: Incoming, threads: Channel[], more: object) => ({
  threads: threads.map((one) => channelPayload(world, one)),
  members: threads
    .filter(({ thread }) => thread?.members.has(world.botId))
    .map((one) => threadMemberPayload(one, world.botId)),
  ...more,
})

const active: Handler = (incoming) => {
  const { world } = incoming.context
  const threads = [...world.channels.values()].filter(
    (one) => one.thread?.archived === false && canSee(world, one, world.botId),
  )
  return json(threadList(incoming, threads, { has_more: false }))
}

/** The thread of a membership route, and the user that it is about. */
function membership(incoming: Incoming): { channel: Channel; userId: string } {
  const { context, params } = incoming
  const { world } = context
  const channel = channelOf(incoming)
  if (!channel.thread) throw apiError(50024)
  if (!canSee(world, world.parentOf(channel), world.botId)) throw apiError(50001)
  return { channel, userId: params.user_id ?? world.botId }
}

const addMember: Handler = (incoming) => {
  const { channel, userId } = membership(incoming)
  const { world } = incoming.context
  if (channel.thread?.archived) throw apiError(50083)
  if (!world.members.has(userId)) throw apiError(10013)
  requirePermissions(world, channel, world.botId)
  joinThread(incoming.context, channel, userId)
  return noContent
}

const removeMember: Handler = (incoming) => {
  const { channel, userId } = membership(incoming)
  const { world } = incoming.context
  if (channel.thread?.archived) throw apiError(50083)
  const isOwner = isPrivateThread(channel) && channel.thread?.ownerId === world.botId
  if (userId !== world.botId && !isOwner) requirePermissions(world, channel, world.botId, 'ManageThreads')
  leaveThread(incoming.context, channel, userId)
  return noContent
}

const listMembers: Handler = (incoming) => {
  const { channel } = membership(incoming)
  return json([...(channel.thread?.members.keys() ?? [])].map((id) => threadMemberPayload(channel, id)))
}

const getMember: Handler = (incoming) => {
  const { channel, userId } = membership(incoming)
  if (!channel.thread?.members.has(userId)) throw apiError(10007)
  const { presence: _, ...member } = threadMemberWithUser(incoming.context, channel, userId)
  return json(member)
}

const channel = '/channels/{channel_id}'
const isPublic = (one: Channel) => !isPrivateThread(one)
const isJoined = (one: Channel, botId: string) => isPrivateThread(one) && one.thread?.members.has(botId) === true

export const threadRoutes: Record<string, Handler> = {
  [`POST ${channel}/messages/{message_id}/threads`]: fromMessage,
  [`POST ${channel}/threads`]: withoutMessage,
  [`GET ${channel}/threads/archived/public`]: archived(isPublic, false),
  [`GET ${channel}/threads/archived/private`]: archived(isPrivateThread, true),
  [`GET ${channel}/users/@me/threads/archived/private`]: archived(isJoined, false),
  [`GET ${channel}/thread-members`]: listMembers,
  [`GET ${channel}/thread-members/{user_id}`]: getMember,
  [`PUT ${channel}/thread-members/@me`]: addMember,
  [`PUT ${channel}/thread-members/{user_id}`]: addMember,
  [`DELETE ${channel}/thread-members/@me`]: removeMember,
  [`DELETE ${channel}/thread-members/{user_id}`]: removeMember,
  'GET /guilds/{guild_id}/threads/active': active,
}
