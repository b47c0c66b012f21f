import type { Heard, ThreadRef } from '../../../domain/chat.ts'
import { messageInKey } from '../../../domain/keys.ts'
import type { SlackMessage } from '../api/payload.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Hearing } from '../heard/hearing.ts'
import { threadMessages } from '../post/find.ts'

/** What was said in a thread before a message: its first message, and the latest others. Oldest first. */
export async function historyOf(
  slack: SlackWorkspace,
  hearing: Hearing,
  thread: ThreadRef,
  before: string,
  limit: number,
): Promise<Heard[]> {
  const latest = messageInKey(before)
  const roots: SlackMessage[] = []
  let replies: SlackMessage[] = []
  for await (const page of threadMessages(slack, thread, { latest })) {
    const earlier = page.filter((message) => isSaid(message) && Number(message.ts) < Number(latest))
    // The root comes with every page.
    if (roots.length === 0) roots.push(...earlier.filter(({ ts }) => ts === thread.thread))
    replies = [...replies, ...earlier.filter(({ ts }) => ts !== thread.thread)].slice(-limit)
  }
  const room = Math.max(0, limit - roots.length)
  const chosen = [...roots, ...replies.slice(Math.max(0, replies.length - room))].slice(0, limit)
  return Promise.all(chosen.map((message) => hearing.translate(message, thread.project)))
}

/** Joins, topics and tombstones of deleted messages aren't. */
const isSaid = ({ hidden, subtype }: SlackMessage): boolean =>
  !hidden && subtype !== 'tombstone' && !subtype?.startsWith('channel_') && !subtype?.startsWith('group_')
