import { type APIMessage, Routes } from 'discord.js'
import { discordWords } from '../words/words.ts'
import type { DiscordApi } from './api.ts'
import { Code, codeOf, toNotPosted } from './errors.ts'
import { byAge, isNewer } from './snowflakes.ts'

/** How many messages Discord lists at once. */
export const pageSize = 100

/**
 * What was said after this message, oldest first: the newest of it if that is more than `most`. `earlier`: what was
 * listed with it. Nothing if the channel is gone or we have no access.
 */
export async function messagesAfter(
  api: DiscordApi,
  channel: string,
  after: string,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<{ found: APIMessage[]; earlier: APIMessage[] }> {
  const found: APIMessage[] = []
  let earlier: APIMessage[] = []
  try {
    while (found.length < most && !signal.aborted) {
      const [oldest] = found
      const messages = await list(api, channel, oldest === undefined ? {} : { before: oldest.id })
      const later = messages.filter(({ id }) => isNewer(id, after))
      earlier = messages.slice(0, messages.length - later.length)
      found.unshift(...later)
      if (later.length < pageSize) break
    }
    return { found, earlier }
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === Code.UnknownChannel || code === Code.MissingAccess || code === Code.MissingPermissions)
      return { found: [], earlier: [] }
    throw thrown
  }
}

/** Oldest first. Nothing if the channel is gone; rejects with NotPosted if we have no access, so nobody knows. */
export async function knownMessages(
  api: DiscordApi,
  channel: string,
  next: { after: string } | { before: string },
): Promise<APIMessage[]> {
  try {
    const messages = await list(api, channel, next)
    if (messages.length === 0) await requireReadable(api, channel, 'after' in next ? next.after : next.before)
    return messages
  } catch (thrown) {
    if (codeOf(thrown) === Code.UnknownChannel) return []
    throw toNotPosted(thrown, (code) =>
      code === Code.MissingPermissions ? { why: discordWords.historyForbidden() } : undefined,
    )
  }
}

async function list(api: DiscordApi, channel: string, next: Record<string, string>): Promise<APIMessage[]> {
  const query = { ...next, limit: String(pageSize) }
  const messages = await api.read<APIMessage[]>(Routes.channelMessages(channel), query)
  return messages.toSorted((a, b) => byAge(a.id, b.id))
}

/** Without "Read Message History", Discord lists no messages, as if there were none, and refuses a single one. */
async function requireReadable(api: DiscordApi, channel: string, message: string): Promise<void> {
  try {
    await api.read(Routes.channelMessage(channel, message))
  } catch (thrown) {
    if (codeOf(thrown) !== Code.UnknownMessage) throw thrown
  }
}
