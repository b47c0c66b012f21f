import { type APIMessage, Routes } from 'discord.js'
import type { DiscordApi } from './api.ts'
import { Code, codeOf } from './errors.ts'
import { byAge } from './snowflakes.ts'

const pageSize = 100

/** Oldest first. Nothing if the channel is gone or we have no access. */
export async function messagesAfter(api: DiscordApi, channel: string, after: string): Promise<APIMessage[]> {
  const messages = await messagesOf(api, channel, { after, limit: String(pageSize) })
  return messages.toSorted((a, b) => byAge(a.id, b.id))
}

export async function messagesOf(
  api: DiscordApi,
  channel: string,
  query: Record<string, string>,
): Promise<APIMessage[]> {
  try {
    return await api.read<APIMessage[]>(Routes.channelMessages(channel), query)
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === Code.UnknownChannel || code === Code.MissingAccess || code === Code.MissingPermissions) return []
    throw thrown
  }
}
