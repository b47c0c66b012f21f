import { type APIChannel, Routes } from 'discord.js'
import { directTenant, type ThreadRef } from '../../../domain/chat.ts'
import type { DiscordApi } from '../api/api.ts'
import { isRefusal } from '../api/errors.ts'
import { directThread } from './thread-refs.ts'

/** Where to tell a person something outside of a thread: in a direct message, otherwise in the channel. */
export async function elsewhere(api: DiscordApi, thread: ThreadRef, person: string): Promise<ThreadRef[]> {
  if (thread.tenant === directTenant) return []
  const channel = { ...thread, thread: thread.project }
  try {
    return [await directWith(api, person), channel]
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    return [channel]
  }
}

/** The bot's direct messages with a person. Asked again for the same person, Discord returns the same channel. */
export async function directWith(api: DiscordApi, person: string): Promise<ThreadRef> {
  const call = { bucket: 'direct', priority: 'card' } as const
  const body = { recipient_id: person }
  const { id } = await api.write<APIChannel>(call, { method: 'POST', route: Routes.userChannels(), body })
  return directThread(id)
}
