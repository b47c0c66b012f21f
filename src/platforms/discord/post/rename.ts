import { Routes } from 'discord.js'
import type { ThreadRef } from '../../../domain/chat.ts'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { oneLine } from '../../../kit/text/text.ts'
import type { DiscordApi } from '../api/api.ts'
import { unarchiving } from '../api/unarchive.ts'
import type { PostTargets } from '../directory/post-targets.ts'

/** Discord accepts 100 characters. */
const longest = 100

/** Renames a thread, if it is one: direct messages and whole channels keep their names. Never throws. */
export async function renameThread(
  { api, targets, log }: { api: DiscordApi; targets: PostTargets; log: Log },
  thread: ThreadRef,
  title: string,
): Promise<void> {
  try {
    const channel = (await targets.existing(thread))?.channel
    if (channel === undefined || channel === thread.project) return
    const call = { bucket: 'names', channel, priority: 'answer', coalesce: `name ${channel}` } as const
    const body = { name: oneLine(title, longest) }
    await api.queued(call, (send) =>
      unarchiving(send, channel, () => send({ method: 'PATCH', route: Routes.channel(channel), body })),
    )
  } catch (thrown) {
    log.info({ platform: 'discord', reason: reasonOf(thrown) }, 'the thread could not be renamed')
  }
}
