import { type APIUser, MessageReferenceType, MessageType } from 'discord-api-types/v10'
import type { Cdn } from './cdn.ts'
import { channelPayload, memberPayload, type Payload } from './channel-payloads.ts'
import { isoTime, timeOf } from './snowflakes.ts'
import type { Attachment, InteractionSource, Message } from './types.ts'
import type { World } from './world.ts'

interface Sources {
  world: World
  cdn: Cdn
}

export const attachmentPayload = (cdn: Cdn, attachment: Attachment): Payload => {
  const url = cdn.address(attachment)
  return {
    id: attachment.id,
    filename: attachment.filename,
    size: attachment.size,
    url,
    proxy_url: url,
    content_type: attachment.contentType,
    ...(attachment.description && { description: attachment.description }),
    ...(attachment.ephemeral && { ephemeral: true }),
  }
}

const reactionPayload = (world: World, emoji: string, users: Set<string>): Payload => ({
  emoji: { id: null, name: emoji },
  count: users.size,
  count_details: { normal: users.size, burst: 0 },
  burst_colors: [],
  me: users.has(world.botId),
  me_burst: false,
})

function interactionPayload(world: World, source: InteractionSource): Payload {
  const { id, type, name, messageId, userId, triggeredBy } = source
  return {
    id,
    type,
    user: world.users.get(userId),
    authorizing_integration_owners: { '0': world.guildId },
    ...(name !== undefined && { name }),
    ...(messageId !== undefined && { interacted_message_id: messageId }),
    ...(triggeredBy && { triggering_interaction_metadata: interactionPayload(world, triggeredBy) }),
  }
}

function plainPayload({ world, cdn }: Sources, message: Message): Payload {
  return {
    id: message.id,
    channel_id: message.channelId,
    author: world.users.get(message.authorId),
    type: message.type,
    content: message.content,
    timestamp: isoTime(timeOf(message.id)),
    edited_timestamp: message.editedAt === undefined ? null : isoTime(message.editedAt),
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: message.mentions.users.map((id) => world.users.get(id)),
    mention_roles: message.mentions.roles,
    attachments: message.attachments.map((one) => attachmentPayload(cdn, one)),
    embeds: message.embeds,
    pinned: false,
    flags: message.flags,
    components: withAddresses(cdn, message),
    ...(message.reference && { message_reference: referencePayload(world, message.reference) }),
    ...snapshotPayload({ world, cdn }, message),
  }
}

/** A forwarded message as it was, without its author. */
function snapshotPayload(sources: Sources, { reference }: Message): Payload {
  if (reference?.type !== MessageReferenceType.Forward || !reference.messageId) return {}
  const message = sources.world.findMessage(reference.channelId, reference.messageId)
  if (message === undefined) return {}
  const { id: _, channel_id: __, author: ___, message_reference: ____, ...rest } = plainPayload(sources, message)
  return { message_snapshots: [{ message: rest }] }
}

const referencePayload = (
  world: World,
  { type, channelId, messageId }: NonNullable<Message['reference']>,
): Payload => ({
  type: type ?? MessageReferenceType.Default,
  channel_id: channelId,
  ...(messageId && { message_id: messageId }),
  ...(world.channels.get(channelId)?.recipientId === undefined && { guild_id: world.guildId }),
})

/** Media items are sent with their resolved addresses, as on Discord. */
function withAddresses(cdn: Cdn, message: Message): unknown {
  const named = (media: Payload) => {
    const name = /^attachment:\/\/(.+)$/.exec(String(media.url))?.[1]
    return message.attachments.find(({ filename }) => filename === name)
  }
  const unfurl = (media: Payload): Payload => {
    const attachment = named(media)
    if (attachment === undefined) return { id: message.id, url: media.url, proxy_url: media.url }
    const url = cdn.address(attachment)
    const { id, contentType } = attachment
    return { id, url, proxy_url: url, content_type: contentType, attachment_id: id }
  }
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.entries(node).map(([key, value]) => [
      key,
      key === 'file' || key === 'media' ? unfurl(value as Payload) : resolve(value),
    ])
    const file = 'file' in node ? named(node.file as Payload) : undefined
    return { ...Object.fromEntries(copy), ...(file && { name: file.filename, size: file.size }) }
  }
  return resolve(message.components)
}

export function messagePayload(sources: Sources, message: Message): Payload {
  const { world } = sources
  const { reference, reactions, interaction, nonce } = message
  const thread = world.threadsOf(message.channelId).find(({ id }) => id === message.id)
  const isReply = message.type === MessageType.Reply || message.type === MessageType.ThreadStarterMessage
  const referenced = reference?.messageId && world.findMessage(reference.channelId, reference.messageId)
  return {
    ...plainPayload(sources, message),
    ...(nonce !== undefined && { nonce }),
    ...(reactions.size > 0 && {
      reactions: [...reactions].map(([emoji, users]) => reactionPayload(world, emoji, users)),
    }),
    ...(isReply && { referenced_message: referenced ? plainPayload(sources, referenced) : null }),
    ...(thread && { thread: channelPayload(world, thread) }),
    ...(interaction && { interaction_metadata: interactionPayload(world, interaction) }),
    ...(interaction && { application_id: world.botId, webhook_id: world.botId }),
  }
}

/** The message as REST returns it later, without the nonce, which is sent only once. */
export const storedMessagePayload = (sources: Sources, message: Message): Payload => {
  const { nonce: _, ...payload } = messagePayload(sources, message)
  return payload
}

/** The message as the gateway sends it, with the guild and the members. */
export function dispatchedMessagePayload(sources: Sources, message: Message): Payload {
  const { world } = sources
  const payload = messagePayload(sources, message)
  const channel = world.channels.get(message.channelId)
  const channelType = { channel_type: channel?.type }
  if (channel?.recipientId) return { ...payload, ...channelType }
  const memberOf = (id: string) => world.members.get(id)
  const author = memberOf(message.authorId)
  return {
    ...payload,
    ...channelType,
    guild_id: world.guildId,
    ...(author && { member: memberPayload(author) }),
    mentions: (payload.mentions as APIUser[]).map((user) => {
      const member = memberOf(user.id)
      return member ? { ...user, member: memberPayload(member) } : user
    }),
  }
}

/** Messages that need the Message Content intent: other people's, in a guild, without a mention of the bot. */
const isReadable = (world: World, message: Message): boolean =>
  message.authorId === world.botId ||
  message.mentions.users.includes(world.botId) ||
  world.channels.get(message.channelId)?.recipientId !== undefined

const withoutContent = (payload: Payload): Payload => ({
  ...payload,
  content: '',
  embeds: [],
  attachments: [],
  components: [],
})

/** A message as an application without that intent gets it. */
export function redacted(world: World, message: Message, payload: Payload): Payload {
  const own = isReadable(world, message) ? payload : withoutContent(payload)
  const { reference } = message
  const referenced = reference?.messageId && world.findMessage(reference.channelId, reference.messageId)
  if (!own.referenced_message || !referenced || isReadable(world, referenced)) return own
  return { ...own, referenced_message: withoutContent(own.referenced_message as Payload) }
}
