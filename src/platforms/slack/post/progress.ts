import type { ThreadRef } from '../../../domain/chat.ts'
import { type Superseded, superseded } from '../../calls/scheduler.ts'
import type { LiveOptions } from '../../platform.ts'
import { blocksOf } from '../pages/blocks.ts'
import type { MessagePage } from '../pages/page.ts'
import { metadataOf } from './key.ts'
import { asPost, type Mailer } from './message.ts'

// Progress is dropped first when Slack has no room for more calls.

/** Begins a progress message; resolves with its ts. */
export async function postProgress(
  { slack }: Mailer,
  thread: ThreadRef,
  page: MessagePage,
  key: string,
): Promise<string | Superseded> {
  const call = { bucket: 'chat.postMessage', channel: thread.project, priority: 'progress', coalesce: key } as const
  const posted = await slack.api.write(call, (client) =>
    client.chat.postMessage({ ...asPost(thread, key), text: page.text, blocks: blocksOf(page) }),
  )
  if (posted === superseded) return superseded
  if (posted.ts === undefined) throw new Error('Slack returned no message id')
  return posted.ts
}

/** `over`: it isn't ours to change any more. */
export async function editProgress(
  { slack }: Mailer,
  { project: channel }: ThreadRef,
  ts: string,
  page: MessagePage,
  { posting: { key }, change }: Pick<LiveOptions, 'posting' | 'change'>,
): Promise<'shown' | 'later' | 'over'> {
  const call = { bucket: 'chat.update', channel, priority: 'progress', coalesce: ts } as const
  const update = { channel, ts, text: page.text, blocks: blocksOf(page), metadata: metadataOf(key) }
  const done = await slack.api.write(call, (client) => change(() => client.chat.update(update)))
  if (done === superseded) return 'later'
  return done === 'over' ? 'over' : 'shown'
}
