import { MessageFlags, MessageType } from 'discord-api-types/v10'
import { compose } from '../../actions/compose.ts'
import { addMessage, changeMessage, deleteMessage, draft } from '../../actions/messages.ts'
import type { Context } from '../../context.ts'
import type { MessageForm } from '../../rules/message.ts'
import { messagePayload, redacted, storedMessagePayload } from '../../world/message-payloads.ts'
import { may, requirePermissions } from '../../world/permissions.ts'
import type { Channel, Message } from '../../world/types.ts'
import { isForum } from '../../world/world.ts'
import { json, noContent } from '../answer.ts'
import { channelOf, type Handler, type Incoming, messageOf } from '../call.ts'
import { apiError, problem } from '../errors.ts'

/** The message with only the content that the application may read. */
const told = (context: Context, message: Message, payload = storedMessagePayload(context, message)) =>
  context.settings.intents.messageContent ? payload : redacted(context.world, message, payload)

/** Throws unless the bot may write here now. */
function requireWritable({ world, faults }: Context, channel: Channel): void {
  const { thread, recipientId } = channel
  if (recipientId !== undefined && faults.closedDirect.has(recipientId)) throw apiError(50007)
  requirePermissions(world, channel, world.botId, thread ? 'SendMessagesInThreads' : 'SendMessages')
  if (isForum(channel)) throw apiError(40058)
  if (!thread?.locked || may(world, channel, world.botId, 'ManageThreads')) return
  throw apiError(thread.archived ? 50083 : 160005)
}

const byId = (a: Message, b: Message): number => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)

const list: Handler = (incoming) => {
  const { context, query } = incoming
  const channel = channelOf(incoming)
  requirePermissions(context.world, channel, context.world.botId)
  // Unlike a single message, the list isn't refused: Discord's documents say that it is empty then.
  if (!may(context.world, channel, context.world.botId, 'ReadMessageHistory')) return json([])
  const all = context.world.messagesIn(channel.id).filter(({ ephemeralTo }) => ephemeralTo === undefined)
  all.sort(byId)
  const found = page(all, query, Math.min(Math.max(Number(query.get('limit') ?? 50), 1), 100))
  return json(found.toReversed().map((message) => told(context, message)))
}

function page(all: Message[], query: URLSearchParams, limit: number): Message[] {
  const [after, before, around] = ['after', 'before', 'around'].map((name) => query.get(name))
  const isBefore = (id: string) => (message: Message) => BigInt(message.id) < BigInt(id)
  const isAfter = (id: string) => (message: Message) => BigInt(message.id) > BigInt(id)
  if (after) return all.filter(isAfter(after)).slice(0, limit)
  if (before) return all.filter(isBefore(before)).slice(-limit)
  if (!around) return all.slice(-limit)
  const half = Math.floor(limit / 2)
  const from = all.filter(isBefore(around)).slice(-half)
  return [...from, ...all.filter((message) => !isBefore(around)(message)).slice(0, limit - from.length)]
}

const create: Handler = (incoming) => {
  const { context, files } = incoming
  const { world, nonces, violations } = context
  const form = incoming.body as MessageForm
  const channel = channelOf(incoming)
  requireWritable(context, channel)
  if (files.size > 0) requirePermissions(world, channel, world.botId, 'AttachFiles')
  const known = form.enforce_nonce && form.nonce != null ? nonces.find(world.botId, form.nonce) : undefined
  if (known) return json(messagePayload(context, known))
  if ((form.flags ?? 0) & MessageFlags.Ephemeral) violations.push('Only answers to interactions can be ephemeral')
  const message = draft(context, channel, world.botId)
  Object.assign(message, compose(context, channel, message, form, { files }), referenceOf(incoming, channel))
  if (form.nonce != null) {
    message.nonce = form.nonce
    nonces.remember(world.botId, form.nonce, message)
  }
  addReplied(context, message, form)
  return json(messagePayload(context, addMessage(context, channel, message)))
}

function referenceOf({ context, body }: Incoming, channel: Channel): Partial<Message> {
  const { world } = context
  const reference = body.message_reference as { message_id?: string; fail_if_not_exists?: boolean | null } | null
  if (!reference?.message_id) return {}
  requirePermissions(world, channel, world.botId, 'ReadMessageHistory')
  const messageId = reference.message_id
  if (world.findMessage(channel.id, messageId) === undefined) {
    if (reference.fail_if_not_exists === false) return {}
    throw apiError(50035, [problem(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message')])
  }
  return { type: MessageType.Reply, reference: { channelId: channel.id, messageId } }
}

/** A reply mentions the author it replies to, unless allowed_mentions says otherwise. */
function addReplied({ world }: Context, message: Message, form: MessageForm): void {
  const { reference, mentions } = message
  const replied = reference?.messageId && world.findMessage(reference.channelId, reference.messageId)
  const allowed = form.allowed_mentions as { replied_user?: boolean | null } | null | undefined
  if (!replied || (allowed && !allowed.replied_user)) return
  message.mentions = { ...mentions, users: [...new Set([...mentions.users, replied.authorId])] }
}

const get: Handler = (incoming) => {
  const { world } = incoming.context
  requirePermissions(world, channelOf(incoming), world.botId, 'ReadMessageHistory')
  return json(told(incoming.context, messageOf(incoming)))
}

const edit: Handler = (incoming) => {
  const { context, files } = incoming
  const { world } = context
  const channel = channelOf(incoming)
  requirePermissions(world, channel, world.botId)
  const message = messageOf(incoming)
  if (message.authorId !== world.botId) throw apiError(50005)
  if (channel.thread?.archived) throw apiError(50083)
  if (channel.thread?.locked && !may(world, channel, world.botId, 'ManageThreads')) throw apiError(160005)
  if (files.size > 0) requirePermissions(world, channel, world.botId, 'AttachFiles')
  const form = incoming.body as MessageForm
  changeMessage(context, message, compose(context, channel, message, form, { files }))
  return json(storedMessagePayload(context, message))
}

const remove: Handler = (incoming) => {
  const { world } = incoming.context
  const channel = channelOf(incoming)
  requirePermissions(world, channel, world.botId)
  const message = messageOf(incoming)
  if (message.authorId !== world.botId) requirePermissions(world, channel, world.botId, 'ManageMessages')
  if (message.type === MessageType.ThreadStarterMessage) throw apiError(50021)
  const isShut = channel.thread?.archived && channel.thread.locked
  if (isShut && !may(world, channel, world.botId, 'ManageThreads')) throw apiError(50083)
  deleteMessage(incoming.context, message)
  return noContent
}

const bulkDelete: Handler = (incoming) => {
  const { context, body } = incoming
  const channel = channelOf(incoming)
  requirePermissions(context.world, channel, context.world.botId, 'ManageMessages')
  for (const id of body.messages as string[]) {
    const message = context.world.findMessage(channel.id, id)
    if (message) deleteMessage(context, message)
  }
  return noContent
}

const typing: Handler = (incoming) => {
  requireWritable(incoming.context, channelOf(incoming))
  return noContent
}

const messages = '/channels/{channel_id}/messages'

export const messageRoutes: Record<string, Handler> = {
  [`GET ${messages}`]: list,
  [`POST ${messages}`]: create,
  [`POST ${messages}/bulk-delete`]: bulkDelete,
  [`GET ${messages}/{message_id}`]: get,
  [`PATCH ${messages}/{message_id}`]: edit,
  [`DELETE ${messages}/{message_id}`]: remove,
  'POST /channels/{channel_id}/typing': typing,
}
