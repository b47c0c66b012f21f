import { Routes } from 'discord.js'
import type { ThreadRef } from '../../../domain/chat.ts'
import type { DiscordApi } from '../api/api.ts'
import { Code, codeOf } from '../api/errors.ts'
import { pageSize } from '../api/messages.ts'
import type { Message } from '../api/payload.ts'
import { timeOf } from '../api/snowflakes.ts'
import type { Hearing } from '../heard/hearing.ts'

interface ChangesDeps {
  api: DiscordApi
  hearing: Hearing
}

/** Passes on those messages that were edited after the time of this id, not too many at once. */
export async function hearEdits(
  messages: Message[],
  { guild, after }: { guild: string | undefined; after: string },
  { hearing }: Pick<ChangesDeps, 'hearing'>,
): Promise<void> {
  const edited = messages.filter(({ edited_timestamp: at }) => at != null && Date.parse(at) > timeOf(after))
  for (let from = 0; from < edited.length; from += pageSize)
    await Promise.all(edited.slice(from, from + pageSize).map((message) => hearing.changed(message, guild)))
}

/** The message that began a thread is in the channel, where nothing else may be new. It may be edited or deleted. */
export async function lookAtRoot(
  { tenant: guild, project, thread }: ThreadRef,
  after: string,
  { api, hearing }: ChangesDeps,
): Promise<void> {
  // A forum's post has it in its own thread.
  const root = (await messageOrGone(api, project, thread)) ?? (await messageOrGone(api, thread, thread))
  if (root === undefined) await hearing.deleted({ guild, channel: project, message: thread })
  else if (root !== 'closed') await hearEdits([root], { guild, after }, { hearing })
}

/** Undefined if there is no such message; `closed` if that can't be known. */
async function messageOrGone(api: DiscordApi, channel: string, id: string): Promise<Message | 'closed' | undefined> {
  try {
    return await api.read<Message>(Routes.channelMessage(channel, id))
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === undefined) throw thrown
    return code === Code.UnknownMessage || code === Code.UnknownChannel ? undefined : 'closed'
  }
}
