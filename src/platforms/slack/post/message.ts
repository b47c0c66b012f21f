import type { Block, KnownBlock } from '@slack/types'
import type { ThreadRef } from '../../../domain/chat.ts'
import { NotPosted, type Posting } from '../../platform.ts'
import { isAboutBlocks, refusalIn } from '../api/errors.ts'
import type { Threads } from '../directory/threads.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Shares } from '../files/shares.ts'
import { blocksOf, isWhole, pageText } from '../pages/blocks.ts'
import type { MessagePage, Page } from '../pages/page.ts'
import { escapeText } from '../text/escape.ts'
import { slackWords } from '../words/words.ts'
import { postFiles } from './files.ts'
import { metadataOf } from './key.ts'

export interface Mailer {
  slack: SlackWorkspace
  threads: Threads
  shares: Shares
}

/** Posts one page once; resolves with the message's ts. */
export const postPage = (mailer: Mailer, thread: ThreadRef, page: Page, posting: Posting): Promise<string> =>
  page.kind === 'files'
    ? postFiles(mailer, thread, page, posting, (text) => postMessage(mailer, thread, wordsPage(text), posting.key))
    : postMessage(mailer, thread, page, posting.key)

export const wordsPage = (text: string): MessagePage => ({
  kind: 'message',
  of: 'answer',
  text: escapeText(text),
  plan: undefined,
  pieces: [],
  tail: [],
  session: 'active',
})

/** How many bytes of text go into a post, and into an edit: for posts, Slack counts characters. */
const mostPosted = 39_000
const mostEdited = 3_900

const priorityOf = ({ of }: MessagePage): 'answer' | 'card' => (of === 'card' ? 'card' : 'answer')

interface Content {
  text: string
  blocks: (KnownBlock | Block)[]
}

/** The page as it is; if Slack doesn't know a block, in plainer ones; and as a last resort its text alone. */
async function inSomeForm<T>(
  { log }: SlackWorkspace,
  page: MessagePage,
  mostText: number,
  send: (content: Content) => Promise<T>,
): Promise<T> {
  const forms = [
    () => ({ text: page.text, blocks: blocksOf(page) }),
    () => ({ text: page.text, blocks: blocksOf(page, true) }),
    () => ({ text: pageText(page, mostText), blocks: [] }),
  ]
  for (const form of forms) {
    try {
      return await send(form())
    } catch (thrown) {
      if (!isAboutBlocks(thrown)) throw thrown
      log.warn({ platform: 'slack', reason: refusalIn(thrown) }, 'Slack rejected the blocks of a message')
    }
  }
  throw new NotPosted('never', slackWords.everyFormRejected())
}

/** What every post contains besides its blocks. Links don't unfold: an answer is long enough. */
export const asPost = ({ project: channel, thread }: ThreadRef, key: string) => ({
  channel,
  // Outside of threads there is no thread_ts.
  ...(thread === '' ? {} : { thread_ts: thread }),
  metadata: metadataOf(key),
  unfurl_links: false,
  unfurl_media: false,
})

/** Posts the page once; resolves with the message's ts. */
export async function postMessage(
  { slack, threads }: Mailer,
  thread: ThreadRef,
  page: MessagePage,
  key: string,
): Promise<string> {
  const channel = thread.project
  const call = { bucket: 'chat.postMessage', channel, priority: priorityOf(page) } as const
  const { ts } = await inSomeForm(slack, page, mostPosted, (content) =>
    slack.api.write(call, (client) => client.chat.postMessage({ ...asPost(thread, key), ...content })),
  )
  if (ts === undefined) throw new Error('Slack returned no message id')
  if (thread.thread !== '') threads.note(channel, ts, thread.thread)
  return ts
}

/** Replaces a message of ours with this page, whatever it was. Repeating it changes nothing. */
export async function editMessage(
  mailer: Mailer,
  thread: ThreadRef,
  ts: string,
  page: MessagePage,
  key?: string,
): Promise<void> {
  try {
    await update(mailer, thread, ts, page, key)
  } catch (thrown) {
    if (refusalIn(thrown) !== 'streaming_state_conflict') throw thrown
    await endStream(mailer, thread, ts)
    await update(mailer, thread, ts, page, key)
  }
}

async function update(
  { slack }: Mailer,
  { project: channel }: ThreadRef,
  ts: string,
  page: MessagePage,
  key: string | undefined,
): Promise<void> {
  const call = { bucket: 'chat.update', channel, priority: priorityOf(page), coalesce: ts } as const
  const metadata = key === undefined ? {} : { metadata: metadataOf(key) }
  await inSomeForm(slack, page, mostEdited, (content) => {
    // An answer isn't cut: as a new message, its text may be longer.
    const isCut = content.blocks.length === 0 && page.of === 'answer' && !isWhole(page, mostEdited)
    if (isCut) throw new NotPosted('never', slackWords.textTooLong())
    return slack.api.write(call, (client) => client.chat.update({ channel, ts, ...content, ...metadata }))
  })
}

/** A stream that nobody continues. */
export async function endStream({ slack }: Mailer, { project: channel }: ThreadRef, ts: string): Promise<void> {
  const call = { bucket: 'chat.stopStream', channel, priority: 'answer', coalesce: ts } as const
  try {
    await slack.api.write(call, (client) => client.chat.stopStream({ channel, ts }))
  } catch (thrown) {
    if (refusalIn(thrown) !== 'message_not_in_streaming_state') throw thrown
  }
}
