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

/** What asks Discord for something that it doesn't list by itself. */
export type Ask = () => Promise<Written[]>

/** Direct messages, which no server lists, and private threads of ours, each a project of its own. */
export const directMessages = (api: DiscordApi, threads: ThreadRef[]): Ask[] =>
  threads
    .filter(({ project, thread }) => project === thread)
    .map(({ tenant, thread: id }) => async () => {
      const channel = await unlessRefused(api.read<APIChannel>(Routes.channel(id)))
      const last = channel === undefined ? undefined : newestIn(channel)
      return last === undefined ? [] : [{ id, guild: tenant === directTenant ? undefined : tenant, last }]
    })

interface Archived {
  /** The one that was archived last comes first. */
  threads: APIThreadChannel[]
  has_more: boolean
}

interface Wanted {
  /** Archived since then, ms. */
  since: number
  /** Asked before each further page. */
  goesOn(): boolean
}

/** Threads of ours that have been archived: servers list only active ones. */
export function archivedThreads(api: DiscordApi, threads: ThreadRef[], { since, goesOn }: Wanted): Ask[] {
  // Something that is its own channel is a direct message or a private thread.
  const ours = new Map(threads.filter(({ project, thread }) => project !== thread).map((ref) => [ref.thread, ref]))
  const parents = new Set([...ours.values()].map(({ project }) => project))
  return [...parents].map((parent) => async () => {
    const found: Written[] = []
    const route = Routes.channelThreads(parent, 'public')
    let before: string | undefined
    do {
      const query = { limit: '100', ...(before && { before }) }
      const page: Archived | undefined = await unlessRefused(api.read<Archived>(route, query))
      for (const thread of page?.threads ?? []) {
        const last = newestIn(thread)
        const ref = ours.get(thread.id)
        if (ref !== undefined && last !== undefined) found.push({ id: thread.id, guild: ref.tenant, last })
      }
      const oldest = page?.threads.at(-1)?.thread_metadata?.archive_timestamp
      const isMore = page?.has_more === true && oldest !== undefined && Date.parse(oldest) > since
      before = isMore ? oldest : undefined
    } while (before !== undefined && goesOn())
    return found
  })
}
