import type { ThreadRef } from '../../../domain/chat.ts'
import type { Posting } from '../../platform.ts'
import type { SlackApi } from '../api/api.ts'
import { isCode, unlessRefused } from '../api/errors.ts'
import { authorOf, messages, type SlackMessage } from '../api/payload.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Shares } from '../files/shares.ts'
import { keyOf } from './key.ts'
import { readNote } from './note.ts'

/** How far Slack's clock and ours may differ: a message may be this much older than our clock says, ms. */
const clockSkewMs = 60_000
/** Usually they differ by no more than this, ms. */
const agreementMs = 1_000
/** The most that is searched. */
const mostPages = 10
const pageSize = 200
/** Slack gives a thread from its beginning only, so all of it is read for what came last. It gives no larger pages. */
const wholeThread: Pages = { most: 100, size: 999 }

const notLetIn = ['channel_not_found', 'is_archived', 'not_in_channel']

interface Range {
  oldest?: string
  latest?: string
}

interface Pages {
  most: number
  size: number
}

/** Oldest first, the root among them. Nothing if the thread is gone, or we have no access. */
export async function* threadMessages(
  slack: SlackWorkspace,
  { project, thread }: ThreadRef,
  range: Range,
): AsyncGenerator<SlackMessage[]> {
  try {
    yield* replies(slack, { channel: project, ts: thread, ...range }, wholeThread)
  } catch (thrown) {
    if (!isCode(thrown, ...notLetIn)) throw thrown
  }
}

/** Nothing if the thread is gone. */
async function* replies(
  { api }: SlackWorkspace,
  where: Range & { channel: string; ts: string },
  { most, size }: Pages = { most: mostPages, size: pageSize },
): AsyncGenerator<SlackMessage[]> {
  let cursor: string | undefined
  for (let page = 0; page < most; page++) {
    const asked = { ...where, limit: size, include_all_metadata: true, ...(cursor ? { cursor } : {}) }
    try {
      const found = await api.read((client) => client.conversations.replies(asked))
      yield messages(found.messages)
      cursor = found.response_metadata?.next_cursor
    } catch (thrown) {
      if (isCode(thrown, 'thread_not_found')) return
      throw thrown
    }
    if (!cursor) return
  }
}

/** The message that was posted under this key, if it was. Throws NotPosted where the bot is not let in to look. */
export async function findPosted(
  slack: SlackWorkspace,
  thread: ThreadRef,
  posting: Posting,
): Promise<string | undefined> {
  try {
    return thread.thread === '' ? await findOutside(slack, thread.project, posting) : await find(slack, thread, posting)
  } catch (thrown) {
    throw unlessRefused(thrown)
  }
}

/** The same for every page: files that Slack may still be about to share are waited for. */
export async function findPage(
  { slack, shares }: { slack: SlackWorkspace; shares: Shares },
  thread: ThreadRef,
  posting: Posting,
): Promise<string | undefined> {
  const found = await findPosted(slack, thread, posting)
  const { files, sent } = readNote(posting.note)
  const [first] = files
  if (found !== undefined || first === undefined || !sent) return found
  const shared = await shares.watch(first)
  if (shared === 'unknown') throw new Error('Slack doesn’t say whether it has posted the files')
  return typeof shared === 'object' ? shared.ts : findPosted(slack, thread, posting)
}

/** Outside of threads: in a channel, or in the direct messages with a person, who is named in its place. */
async function findOutside({ api }: SlackWorkspace, place: string, posting: Posting): Promise<string | undefined> {
  const channel = isPerson(place) ? await directWith(api, place) : place
  if (channel === undefined) return undefined
  const oldest = oldestOf(posting)
  const asked = { channel, oldest, limit: pageSize, include_all_metadata: true }
  const found = await api.read((client) => client.conversations.history(asked))
  return messages(found.messages).find((message) => keyOf(message) === posting.key)?.ts
}

const isPerson = (place: string): boolean => /^[UW]/.test(place)

async function directWith(api: SlackApi, person: string): Promise<string | undefined> {
  const asked = { types: 'im', limit: 999 }
  const { channels = [] } = await api.read((client) => client.users.conversations(asked))
  return channels.find(({ user }) => user === person)?.id
}

const oldestOf = ({ since }: Posting): string => (Math.max(0, since - clockSkewMs) / 1_000).toFixed(3)

async function find(slack: SlackWorkspace, thread: ThreadRef, posting: Posting): Promise<string | undefined> {
  const note = readNote(posting.note)
  const oldest = oldestOf(posting)
  const unnamed: SlackMessage[] = []
  for await (const page of replies(slack, { channel: thread.project, ts: thread.thread, oldest })) {
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

/**
 * A stream of text alone has no key before its end, and none if somebody has ended it with the Stop button. One that we
 * have ended has one, or is known by its id.
 */
const isUnnamedStream = (message: SlackMessage): boolean =>
  message.streaming_state !== undefined && keyOf(message) === undefined
