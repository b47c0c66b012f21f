import { type APIEmbed, MessageFlags, MessageReferenceType, MessageType } from 'discord-api-types/v10'
import { addMessage, changeMessage, deleteMessage, draft, react } from '../actions/messages.ts'
import type { Context } from '../context.ts'
import { lengthOf } from '../rules/components.ts'
import { mentionsIn } from '../world/mentions.ts'
import { canSee, may } from '../world/permissions.ts'
import type { Attachment, Channel, Component, Mentions, Message } from '../world/types.ts'
import { isForum } from '../world/world.ts'

export interface PersonFile {
  name: string
  content: string | Uint8Array
  contentType?: string
}

export interface PostOptions {
  /** The id of the message that is replied to. */
  reply?: string
  /** Whether its author is notified; true by default. */
  ping?: boolean
  files?: PersonFile[]
  /** Only bots have embeds of their own, and components, which stand instead of a text. */
  embeds?: APIEmbed[]
  components?: Component[]
  /** The id of a message that is forwarded, without any words. */
  forward?: string
  /** How often it is delivered. */
  copies?: number
}

const types: Record<string, string> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
}

/** Stores somebody's uploads. */
export function upload(context: Context, channelId: string, file: PersonFile, ephemeral = false): Attachment {
  const content = Buffer.from(file.content)
  const contentType = file.contentType ?? types[file.name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const id = context.world.ids.next()
  context.cdn.store(id, { name: file.name, content, contentType })
  // Discord keeps only letters, digits, dots, dashes and underscores of a name.
  const filename = file.name.replace(/[^\p{L}\p{N}._-]+/gu, '_')
  return { id, filename, size: content.length, channelId, contentType, ...(ephemeral && { ephemeral }) }
}

/** Posts as Discord's own client would, and throws where the client would not allow it. */
export function post(context: Context, who: string, where: string, text: string, options: PostOptions = {}): Message {
  const { world } = context
  const author = world.user(who)
  const channel = world.channel(where)
  const { reply, files = [], embeds = [], components = [], forward, copies } = options
  requireWriter(context, channel, author.id)
  if (lengthOf(text) > 2_000) throw new Error('Discord lets people write 2,000 characters.')
  if (author.bot !== true && embeds.length + components.length > 0) throw new Error(`${who} is no bot.`)
  if (text.trim() === '' && files.length + embeds.length + components.length === 0 && forward === undefined) {
    throw new Error('There is nothing to post.')
  }
  const attachments = files.map((file) => upload(context, channel.id, file))
  const message: Message = {
    ...draft(context, channel, author.id),
    content: text.trim(),
    attachments,
    mentions: mentionsOf(context, channel, author.id, text, options),
    embeds: embeds.map((embed) => ({ type: 'rich', ...embed }) as APIEmbed),
    components,
    ...(components.length > 0 && { flags: MessageFlags.IsComponentsV2 }),
    ...(reply && { type: MessageType.Reply, reference: { channelId: channel.id, messageId: reply } }),
    ...(forward && {
      flags: MessageFlags.HasSnapshot,
      reference: {
        type: MessageReferenceType.Forward,
        channelId: world.message(forward).channelId,
        messageId: forward,
      },
    }),
  }
  return addMessage(context, channel, message, copies)
}

function requireWriter({ world }: Context, channel: Channel, userId: string): void {
  const who = world.user(userId).username
  if (!canSee(world, channel, userId)) throw new Error(`${who} does not see ${channel.name}.`)
  if (isForum(channel)) throw new Error('In a forum people open posts.')
  const isModerator = may(world, channel, userId, 'ManageThreads')
  if (channel.thread?.locked && !isModerator) throw new Error(`The thread ${channel.name} is locked.`)
}

function mentionsOf(
  context: Context,
  channel: Channel,
  authorId: string,
  text: string,
  { reply, ping = true }: PostOptions = {},
): Mentions {
  const { world } = context
  const mentions = mentionsIn(world, channel, text, may(world, channel, authorId, 'MentionEveryone'))
  const replied = reply === undefined || !ping ? undefined : world.findMessage(channel.id, reply)?.authorId
  if (replied === undefined || replied === authorId) return mentions
  return { ...mentions, users: [...new Set([...mentions.users, replied])] }
}

export function edit(context: Context, who: string, messageId: string, text: string): void {
  const { world } = context
  const message = world.message(messageId)
  if (message.authorId !== world.user(who).id) throw new Error('People edit only what they wrote.')
  const channel = world.channel(message.channelId)
  changeMessage(context, message, { content: text, mentions: mentionsOf(context, channel, message.authorId, text) })
}

/** By its author, or by a moderator, whoever that is. */
export const remove = (context: Context, messageId: string): void =>
  deleteMessage(context, context.world.message(messageId))

export const reaction =
  (context: Context, add: boolean) =>
  (who: string, messageId: string, emoji: string): void =>
    react(context, context.world.message(messageId), context.world.user(who).id, emoji, add)
