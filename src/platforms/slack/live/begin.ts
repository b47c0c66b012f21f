import type { ThreadRef } from '../../../domain/chat.ts'
import { type LiveOptions, NotPosted } from '../../platform.ts'
import { reasonIn } from '../api/errors.ts'
import type { MessagePage } from '../pages/page.ts'
import type { Mailer } from '../post/message.ts'
import { type Form, postProgress } from '../post/progress.ts'
import type { Shown } from './continuation.ts'
import { Stream } from './stream.ts'
import type { StreamSupport } from './stream-support.ts'

export interface BeginDeps {
  mailer: Mailer
  streams: StreamSupport
}

/** A message that was begun, and continues in one of two ways. */
export type Begun = { kind: 'stream'; stream: Stream } | { kind: 'edits'; ts: string }

/** Begins a message as a native stream. Undefined if it certainly wasn't begun; throws if nobody knows. */
export async function beginStream(
  { mailer, streams }: BeginDeps,
  thread: ThreadRef,
  { posting, reader }: LiveOptions,
  first: Shown,
): Promise<Begun | undefined> {
  const options = { slack: mailer.slack, thread, key: posting.key, reader: reader.id }
  const stream = await orRefused(mailer, () => Stream.start(options, first))
  if (stream instanceof Stream) {
    mailer.threads.note(thread.project, stream.ts, thread.thread)
    return { kind: 'stream', stream }
  }
  streams.failed(thread.project, stream)
  return undefined
}

/** The same as a message that is edited later. */
export async function beginPost(
  { mailer }: BeginDeps,
  thread: ThreadRef,
  { posting }: LiveOptions,
  page: MessagePage,
  form: Form,
): Promise<Begun | undefined> {
  const ts = await orRefused(mailer, () => postProgress(mailer, thread, page, posting.key, form))
  if (typeof ts !== 'string') return undefined
  mailer.threads.note(thread.project, ts, thread.thread)
  return { kind: 'edits', ts }
}

/** The result of a write, or the refusal if it certainly wasn't done. */
async function orRefused<T>({ slack }: Mailer, write: () => Promise<T>): Promise<T | NotPosted> {
  try {
    return await write()
  } catch (thrown) {
    if (!(thrown instanceof NotPosted)) throw thrown
    slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'a progress message could not be started')
    return thrown
  }
}
