import { type Change, somebody } from '../../../domain/chat.ts'
import { isSpoken, type Message } from '../api/payload.ts'
import type { Directory } from '../directory/directory.ts'
import { dedupKeyOf, threadOf, threadOfMessage } from '../directory/thread-refs.ts'
import { toHeard } from './translate.ts'

/** People's edits, but not what Discord adds to a message by itself, such as a link preview. */
export const isEdit = (message: Message, self: string): boolean =>
  message.author !== undefined && message.author.id !== self && message.edited_timestamp != null && isSpoken(message)

export async function changeOf(message: Message, guild: string | undefined, directory: Directory): Promise<Change> {
  const thread = await threadOfMessage(message, guild, directory)
  const now = toHeard(message, thread, directory)
  return { dedupKey: now.dedupKey, message: now.message, thread, person: now.person, now }
}

/** Discord doesn't say who wrote a deleted message, or who deleted it. */
export async function deletionOf(
  where: { guild: string | undefined; channel: string; message: string },
  directory: Directory,
): Promise<Change> {
  const thread = await threadOf(where, directory)
  const { message } = where
  return { dedupKey: dedupKeyOf(thread, message), message, thread, person: somebody, now: undefined }
}
