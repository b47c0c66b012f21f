import { MessageType } from 'discord.js'
import { directTenant, type ThreadRef } from '../../../domain/chat.ts'
import { messageKey } from '../../../domain/keys.ts'
import type { Message } from '../api/payload.ts'
import type { Directory } from './directory.ts'

export const platformName = 'discord'

/** Each channel of direct messages is one session: they have no threads. */
export const directThread = (channel: string): ThreadRef => ({
  platform: platformName,
  tenant: directTenant,
  project: channel,
  thread: channel,
})

/** The same for a message, whether it is found in its channel or in the thread that it began. */
export const dedupKeyOf = ({ tenant, project }: Pick<ThreadRef, 'tenant' | 'project'>, message: string): string =>
  messageKey({ platform: platformName, tenant, project }, message)

/**
 * Which thread a channel's message belongs to. In a channel, a message begins a thread of its own: the thread that
 * Discord makes will have the message's id.
 */
export async function threadOf(
  where: { guild: string | undefined; channel: string; message: string },
  directory: Directory,
): Promise<ThreadRef> {
  const { guild, channel, message } = where
  if (guild === undefined) return directThread(channel)
  const ref = { platform: platformName, tenant: guild }
  const room = await directory.room(channel)
  if (room?.kind !== 'thread') return { ...ref, project: channel, thread: message }
  // A private thread isn't visible to everybody in its channel, so it is a project of its own.
  return { ...ref, project: room.parent ?? channel, thread: channel }
}

/** The same for a whole message, which may reply to an answer that was given without a thread. */
export async function threadOfMessage(message: Message, guild: string | undefined, directory: Directory) {
  const channel = message.channel_id
  const thread = await threadOf({ guild, channel, message: message.id }, directory)
  const isRoot = thread.thread === message.id && thread.thread !== channel
  const root = isRoot ? rootOfReply(message, directory.self) : undefined
  return root === undefined ? thread : { ...thread, thread: root }
}

/** Where the bot can't make threads, its answers are replies to the first message, which stands for the thread. */
function rootOfReply(message: Message, self: string): string | undefined {
  const answer = message.type === MessageType.Reply ? message.referenced_message : undefined
  if (answer == null || answer.author.id !== self) return undefined
  return answer.message_reference?.message_id ?? undefined
}
