import { react } from '../../actions/messages.ts'
import { requirePermissions } from '../../world/permissions.ts'
import { json, noContent } from '../answer.ts'
import { channelOf, type Handler, messageOf } from '../call.ts'
import { apiError } from '../errors.ts'

const change =
  (add: boolean, whose: 'own' | 'other'): Handler =>
  (incoming) => {
    const { context, params } = incoming
    const { world } = context
    const channel = channelOf(incoming)
    const message = messageOf(incoming)
    const emoji = params.emoji_name ?? ''
    const isNew = add && !message.reactions.has(emoji)
    const needed = whose === 'other' ? (['ManageMessages'] as const) : isNew ? (['AddReactions'] as const) : []
    requirePermissions(world, channel, world.botId, 'ReadMessageHistory', ...needed)
    if (channel.thread?.archived) throw apiError(50083)
    // Custom emoji are name:id; anything else has to be a single emoji.
    if (/^[\w\s-]*$/.test(emoji) && !/^[\d#*]$/.test(emoji)) throw apiError(10014)
    react(context, message, whose === 'own' ? world.botId : (params.user_id ?? ''), emoji, add)
    return noContent
  }

const list: Handler = (incoming) => {
  const { world } = incoming.context
  requirePermissions(world, channelOf(incoming), world.botId, 'ReadMessageHistory')
  const users = messageOf(incoming).reactions.get(incoming.params.emoji_name ?? '') ?? []
  return json([...users].map((id) => world.users.get(id)))
}

const removeAll: Handler = (incoming) => {
  const { context, params } = incoming
  requirePermissions(context.world, channelOf(incoming), context.world.botId, 'ManageMessages')
  const message = messageOf(incoming)
  const emoji = params.emoji_name ?? ''
  for (const userId of [...(message.reactions.get(emoji) ?? [])]) react(context, message, userId, emoji, false)
  return noContent
}

const reaction = '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}'

export const reactionRoutes: Record<string, Handler> = {
  [`GET ${reaction}`]: list,
  [`DELETE ${reaction}`]: removeAll,
  [`PUT ${reaction}/@me`]: change(true, 'own'),
  [`DELETE ${reaction}/@me`]: change(false, 'own'),
  [`DELETE ${reaction}/{user_id}`]: change(false, 'other'),
}
