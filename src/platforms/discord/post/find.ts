import type { Posting } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { knownMessages, pageSize } from '../api/messages.ts'
import type { SeenMessages } from '../directory/seen-messages.ts'
import { isPosting, nonceOf, readNote } from './marks.ts'

/** How much is searched: nobody but this bot posts this much in this thread meanwhile. */
const mostPages = 20

/** Whether this posting was posted, and as which message. Without a note, its post was never begun. */
export async function findPosted(
  { api, seen, self }: { api: DiscordApi; seen: SeenMessages; self(): string },
  { key, note, isOther }: Posting,
): Promise<string | undefined> {
  const echo = seen.find(nonceOf(key))
  if (echo !== undefined) return echo
  const noted = readNote(note)
  if (noted === undefined) return undefined
  let { after } = noted
  for (let page = 0; page < mostPages; page++) {
    const messages = await knownMessages(api, noted.channel, { after })
    for (const message of messages) {
      // Another one may say the same.
      const fits = message.author.id === self() && isPosting(message, key, noted)
      if (fits && !(await isOther(message.id))) return message.id
    }
    after = messages.at(-1)?.id ?? after
    if (messages.length < pageSize) return undefined
  }
  return undefined
}
