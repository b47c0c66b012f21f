import { changeThread, deleteChannel, type ThreadChanges } from '../../actions/threads.ts'
import { channelPayload } from '../../world/channel-payloads.ts'
import { canSee, requirePermissions } from '../../world/permissions.ts'
import type { Channel } from '../../world/types.ts'
import { isDirect } from '../../world/world.ts'
import { json } from '../answer.ts'
import { channelOf, type Handler, type Incoming } from '../call.ts'
import { apiError } from '../errors.ts'

const get: Handler = (incoming) => {
  const { world } = incoming.context
  const channel = channelOf(incoming)
  if (!canSee(world, channel, world.botId)) throw apiError(50001)
  return json(channelPayload(world, channel))
}

interface ChannelForm {
  name?: string | null
  archived?: boolean | null
  locked?: boolean | null
  invitable?: boolean | null
  auto_archive_duration?: number | null
  applied_tags?: string[] | null
  rate_limit_per_user?: number | null
  topic?: string | null
}

const patch: Handler = (incoming) => {
  const { world, gateway } = incoming.context
  const channel = channelOf(incoming)
  const form = incoming.body as ChannelForm
  if (isDirect(channel)) throw apiError(50003)
  requirePermissions(world, channel, world.botId)
  if (channel.thread) patchThread(incoming, channel, form)
  else {
    requirePermissions(world, channel, world.botId, 'ManageChannels')
    if (form.name != null) channel.name = form.name
    if (form.topic !== undefined) channel.topic = form.topic
    gateway.dispatch('CHANNEL_UPDATE', channelPayload(world, channel), { channel })
  }
  return json(channelPayload(world, channel))
}

function patchThread({ context }: Incoming, channel: Channel, form: ChannelForm): void {
  const { world } = context
  const { thread } = channel
  if (thread === undefined) return
  const { archived, locked, name, invitable, rate_limit_per_user: slowdown, applied_tags: tags } = form
  const unarchives = archived === false && thread.archived
  if (thread.archived && !unarchives) throw apiError(50083)
  const isOwner = thread.ownerId === world.botId
  const onlyUnarchives = unarchives && Object.keys(form).length === 1 && !thread.locked
  const needsModerator = locked != null || slowdown != null || thread.locked || !(isOwner || onlyUnarchives)
  const needed = needsModerator ? 'ManageThreads' : 'SendMessagesInThreads'
  requirePermissions(world, channel, world.botId, needed)
  const minutes = form.auto_archive_duration
  if (slowdown != null) channel.rateLimitPerUser = slowdown
  const changes: ThreadChanges = {
    ...(name != null && { name }),
    ...(archived != null && { archived }),
    ...(locked != null && { locked }),
    ...(invitable != null && { invitable }),
    ...(minutes != null && { autoArchiveMinutes: minutes }),
    ...(tags && { appliedTags: tags }),
  }
  changeThread(context, channel, world.botId, changes)
}

const remove: Handler = (incoming) => {
  const { world } = incoming.context
  const channel = channelOf(incoming)
  // Deleting a DM channel only closes it.
  if (isDirect(channel)) return json(channelPayload(world, channel))
  requirePermissions(world, channel, world.botId, channel.thread ? 'ManageThreads' : 'ManageChannels')
  const payload = channelPayload(world, channel)
  deleteChannel(incoming.context, channel)
  return json(payload)
}

export const channelRoutes: Record<string, Handler> = {
  'GET /channels/{channel_id}': get,
  'PATCH /channels/{channel_id}': patch,
  'DELETE /channels/{channel_id}': remove,
}
