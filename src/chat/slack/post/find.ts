import type { ThreadRef } from '../../../domain/chat.ts'
import type { Posting } from '../../platform.ts'
import { isCode } from '../errors.ts'
import { messages, type SlackMessage } from '../heard/payload.ts'
import { authorOf } from '../heard/translate.ts'
import type { Workspace } from '../workspace.ts'
import { keyOf } from './key.ts'
import { readNote } from './note.ts'

/** Slack's clock and ours differ: so much earlier than by ours a message may be, ms. */
const clockSkewMs = 60_000
/** As a rule they agree so far, ms. */
const agreementMs = 1_000
/** More is not looked through. */
const mostPages = 10
const pageSize = 200

const gone = ['channel_not_found', 'is_archived', 'not_in_channel', 'thread_not_found']

/** Oldest first, the root among them. Nothing where the thread is gone. */
export async function* threadMessages(
  { api }: Workspace,
  { project: channel, thread: ts }: ThreadRef,
  range: { oldest?: string; latest?: string } = {},
): AsyncGenerator<SlackMessage[]> {
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const asked = { channel, ts, ...range, limit: pageSize, include_all_metadata: true, ...(cursor ? { cursor } : {}) }
    try {
      const found = await api.read((client) => client.conversations.replies(asked))
      yield messages(found.messages)
      cursor = found.response_metadata?.next_cursor
    } catch (thrown) {
      if (isCode(thrown, ...gone)) return
      throw thrown
    }
    if (!cursor) return
  }
}

/** The message that was posted under this key, if it was. */
export async function findPosted(slack: Workspace, thread: ThreadRef, posting: Posting): Promise<string | undefined> {
  const note = readNote(posting.note)
  const oldest = (Math.max(0, posting.since - clockSkewMs) / 1_000).toFixed(3)
  const unnamed: SlackMessage[] = []
  for await (const page of threadMessages(slack, thread, { oldest })) {
    const own = page.filter((message) => authorOf(message, slack.me) === 'self' && Number(message.ts) >= Number(oldest))
    const found = own.find(
      (message) => keyOf(message) === posting.key || message.files.some(({ id }) => note.files.includes(id)),
    )
    if (found !== undefined) return found.ts
    unnamed.push(...own.filter(isUnnamedStream))
  }
  if (note.streamAfter === undefined) return undefined
  const after = Number(note.streamAfter)
  const since = (posting.since - agreementMs) / 1_000
  const newer: SlackMessage[] = []
  for (const message of unnamed) {
    if (Number(message.ts) > after && !(await posting.isOther(message.ts))) newer.push(message)
  }
  return (newer.find(({ ts }) => Number(ts) >= since) ?? newer.at(-1))?.ts
}

/** A stream of text alone carries no key before its end. One that was ended well has one, or is known by its id. */
const isUnnamedStream = (message: SlackMessage): boolean =>
  message.streaming_state !== undefined && message.streaming_state !== 'completed' && keyOf(message) === undefined
