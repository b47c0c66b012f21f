import type { ThreadRef } from '../../../domain/chat.ts'
import { type Superseded, superseded } from '../../calls/scheduler.ts'
import type { LiveOptions } from '../../platform.ts'
import { isAboutBlocks } from '../api/errors.ts'
import { blocksOf } from '../pages/blocks.ts'
import type { MessagePage } from '../pages/page.ts'
import { metadataOf } from './key.ts'
import { asPost, type Mailer } from './message.ts'

// Progress is dropped first when Slack has no room for more calls.

/** How a message shows its plan: in words, once Slack has rejected another form. */
export interface Form {
  isPlain: boolean
}

async function inForm<T>(form: Form, page: MessagePage, send: (blocks: Blocks) => Promise<T>): Promise<T> {
  if (form.isPlain) return send(blocksOf(page, true))
  try {
    return await send(blocksOf(page))
  } catch (thrown) {
    if (!isAboutBlocks(thrown)) throw thrown
    form.isPlain = true
    return send(blocksOf(page, true))
  }
}

type Blocks = ReturnType<typeof blocksOf>

/** Begins a progress message; resolves with its ts. */
export async function postProgress(
  { slack }: Mailer,
  thread: ThreadRef,
  page: MessagePage,
  key: string,
  form: Form,
): Promise<string | Superseded> {
  const call = { bucket: 'chat.postMessage', channel: thread.project, priority: 'progress', coalesce: key } as const
  const posted = await inForm(form, page, (blocks) =>
    slack.api.write(call, (client) => client.chat.postMessage({ ...asPost(thread, key), text: page.text, blocks })),
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
  form: Form,
): Promise<'shown' | 'later' | 'over'> {
  const call = { bucket: 'chat.update', channel, priority: 'progress', coalesce: ts } as const
  const update = { channel, ts, text: page.text, metadata: metadataOf(key) }
  const done = await inForm(form, page, (blocks) =>
    slack.api.write(call, (client) => change(() => client.chat.update({ ...update, blocks }))),
  )
  if (done === superseded) return 'later'
  return done === 'over' ? 'over' : 'shown'
}
