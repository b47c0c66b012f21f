import { type APIChannel, type APIThreadChannel, Routes } from 'discord.js'
import { directTenant, type ThreadRef } from '../../../domain/chat.ts'
import type { DiscordApi } from '../api/api.ts'
import { unlessRefused } from '../api/errors.ts'
import { newestIn } from '../api/payload.ts'

/** A channel or thread with messages. */
export interface Written {
  id: string
  /** Undefined for direct messages. */
  guild: string | undefined
  /** The id of its newest message. */
  last: string
}

/** Direct messages, which no server lists, and private threads of ours, each a project of its own. The first `most`. */
export async function directMessages(
  api: DiscordApi,
  threads: ThreadRef[],
  { most, signal }: { most?: number; signal: AbortSignal },
): Promise<Written[]> {
  const direct = threads.filter(({ project, thread }) => project === thread).slice(0, most)
  const found: Written[] = []
  for (const { tenant, thread } of direct) {
    if (signal.aborted) break
    const channel = await unlessRefused(api.read<APIChannel>(Routes.channel(thread)))
    const last = channel === undefined ? undefined : newestIn(channel)
    const guild = tenant === directTenant ? undefined : tenant
    if (last !== undefined) found.push({ id: thread, guild, last })
  }
  return found
}

/** Threads of ours that have been archived meanwhile: servers list only active ones. */
export async function archivedThreads(api: DiscordApi, threads: ThreadRef[], signal: AbortSignal): Promise<Written[]> {
  // Something that is its own channel is a direct message or a private thread.
  const ours = new Map(threads.filter(({ project, thread }) => project !== thread).map((ref) => [ref.thread, ref]))
  const parents = new Set([...ours.values()].map(({ project }) => project))
  const found: Written[] = []
  for (const parent of parents) {
    if (signal.aborted) break
    const listed = await unlessRefused(
      api.read<{ threads: APIThreadChannel[] }>(Routes.channelThreads(parent, 'public'), { limit: '100' }),
    )
    for (const thread of listed?.threads ?? []) {
      const last = newestIn(thread)
      const ref = ours.get(thread.id)
      if (ref !== undefined && last !== undefined) found.push({ id: thread.id, guild: ref.tenant, last })
    }
  }
  return found
}
