import { type APIMessage, Routes } from 'discord.js'
import type { Posting } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { Code, codeOf, toNotPosted } from '../api/errors.ts'
import { byAge } from '../api/snowflakes.ts'
import type { SeenMessages } from '../directory/seen-messages.ts'
import { isPosting, nonceOf, readNote } from './marks.ts'

/** How much is searched: nobody but this bot posts this much in this thread meanwhile. */
const mostPages = 20
const pageSize = 100

/** Whether this posting was posted, and as which message. Without a note, its post was never begun. */
export async function findPosted(
  { api, seen, self }: { api: DiscordApi; seen: SeenMessages; self: string },
  { key, note, isOther }: Posting,
): Promise<string | undefined> {
  const echo = seen.find(nonceOf(key))
  if (echo !== undefined) return echo
  const noted = readNote(note)
  if (noted === undefined) return undefined
  let { after } = noted
  for (let page = 0; page < mostPages; page++) {
    const messages = await lookAfter(api, noted.channel, after)
    for (const message of messages) {
      // Another one may say the same.
      const fits = message.author.id === self && isPosting(message, key, noted)
      if (fits && !(await isOther(message.id))) return message.id
    }
    after = messages.at(-1)?.id ?? after
    if (messages.length < pageSize) return undefined
  }
  return undefined
}

/** Oldest first. Nothing if the channel is gone; if we have no access, nobody knows. */
async function lookAfter(api: DiscordApi, channel: string, after: string): Promise<APIMessage[]> {
  const query = { after, limit: String(pageSize) }
  try {
    const messages = await api.read<APIMessage[]>(Routes.channelMessages(channel), query)
    return messages.toSorted((a, b) => byAge(a.id, b.id))
  } catch (thrown) {
    if (codeOf(thrown) === Code.UnknownChannel) return []
    throw toNotPosted(thrown, () => undefined)
  }
}
