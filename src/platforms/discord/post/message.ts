import {
  type APIChannel,
  type APIMessage,
  type Client,
  MessageFlags,
  type RawFile,
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from 'discord.js'
import type { ThreadRef } from '../../../domain/chat.ts'
import { Failure } from '../../../kit/failure.ts'
import { RateLimited } from '../../calls/scheduler.ts'
import { NotPosted, type OutgoingFile, type Posting, type Reason } from '../../platform.ts'
import { refusedFiles, unreadFile } from '../../words/file-words.ts'
import { type DiscordApi, type Send, uploads } from '../api/api.ts'
import { Code, codeOf, isRefusal, toNotPosted, tryAgainMs } from '../api/errors.ts'
import { newestIn as newestOf } from '../api/payload.ts'
import { unarchiving } from '../api/unarchive.ts'
import { refusalFor } from '../directory/permissions.ts'
import type { PostTarget, PostTargets } from '../directory/post-targets.ts'
import type { SeenMessages } from '../directory/seen-messages.ts'
import type { Page } from '../pages/page.ts'
import { withNote } from '../text/with-note.ts'
import { discordWords } from '../words/words.ts'
import { findPosted } from './find.ts'
import { hashOf, nonceOf, numberOf, readNote, saysSame, withLatestNote, writeNote } from './marks.ts'
import { uploadedInTime } from './slow-upload.ts'

export interface PostDeps {
  api: DiscordApi
  targets: PostTargets
  seen: SeenMessages
  self(): string
  client(): Client | undefined
}

/** Nobody is notified, whatever a text says. */
export const silent = { parse: [], replied_user: false } satisfies RESTPostAPIChannelMessageJSONBody['allowed_mentions']

/** What is sent, whole. */
export interface Body {
  json: RESTPostAPIChannelMessageJSONBody & RESTPatchAPIChannelMessageJSONBody
  files: RawFile[]
}

export async function postPage(deps: PostDeps, thread: ThreadRef, page: Page, posting: Posting): Promise<string> {
  const place = await deps.targets.of(thread)
  const bucket = page.kind === 'text' && page.again === true ? uploads : 'messages'
  const call = { bucket, channel: place.channel, priority: priorityOf(page) } as const
  const attempts = withLatestNote(posting)
  return withFilesOrWords(page, posting.key, posting.postpone, (body) =>
    explained(deps, place, body, () => deps.api.queued(call, (send) => sendNew(send, deps, place, body, attempts))),
  )
}

/** Replaces a message of ours with this page; repeating it changes nothing. */
export async function editPage(
  deps: PostDeps,
  channel: string,
  id: string,
  page: Page,
  postpone?: Posting['postpone'],
): Promise<void> {
  const call = { bucket: 'edits', channel, priority: priorityOf(page), coalesce: id } as const
  await withFilesOrWords(page, undefined, postpone, (body) =>
    explained(deps, { channel, replyTo: undefined }, body, () =>
      deps.api.queued(call, (send) => sendEdit(send, channel, id, body)),
    ),
  )
}

/** Deletes a message of ours. */
export async function removeMessage(deps: PostDeps, channel: string, id: string): Promise<void> {
  const call = { bucket: 'edits', channel, priority: 'answer', coalesce: id } as const
  const route = Routes.channelMessage(channel, id)
  const nothing = { json: {}, files: [] }
  await explained(deps, { channel, replyTo: undefined }, nothing, () =>
    deps.api.queued(call, async (send) => {
      try {
        await unarchiving(send, channel, () => send({ method: 'DELETE', route }))
      } catch (thrown) {
        if (codeOf(thrown) !== Code.UnknownMessage) throw thrown
      }
    }),
  )
}

/** Sends the page; if its files are refused, only the text, which then says so. */
export async function withFilesOrWords<T>(
  page: Page,
  key: string | undefined,
  postpone: Posting['postpone'] | undefined,
  send: (body: Body) => Promise<T>,
): Promise<T> {
  const body = await bodyOf(page, key)
  try {
    const sent = await send(body)
    // An earlier attempt may have left them for later.
    if (body.files.length > 0) await postpone?.([])
    return sent
  } catch (thrown) {
    if (page.kind !== 'text' || page.again === true || body.files.length === 0) throw thrown
    if (!(thrown instanceof NotPosted) || thrown.again === 'later' || thrown.everywhere) throw thrown
    const content = withNote(page.content, `-# ${refusedFiles(page.files, thrown)}`)
    const words = await bodyOf({ ...page, content, files: [] }, key)
    if (thrown.again === 'repairable') await postpone?.(page.files)
    return await send(words)
  }
}

/** Posts it. What it can be found by is stored first. */
export async function sendNew(
  send: Send,
  deps: PostDeps,
  place: PostTarget,
  body: Body,
  posting: Posting,
): Promise<string> {
  const { channel } = place
  const sizes = body.files.map(({ data }) => (data as Uint8Array).byteLength)
  const hash = hashOf(body.json.content ?? '', sizes)
  // An earlier attempt may be there already: after the message that was the newest then, and before what is newest now.
  const former = readNote(posting.note)
  const after = former?.channel === channel ? former.after : await newestIn(deps, channel)
  const note = writeNote({ channel, after, hash })
  await posting.remember(note)
  const post = async () => {
    const message = await send<APIMessage>({
      method: 'POST',
      route: Routes.channelMessages(channel),
      body: { ...body.json, ...asNew(place, posting.key) },
      files: body.files,
    })
    // Discord returns what an earlier attempt has posted meanwhile, which may have said something else.
    if (former !== undefined && !saysSame(message, hash)) await sendEdit(send, channel, message.id, body)
    return message.id
  }
  const find = () => findPosted(deps, { ...posting, note })
  const id = await uploadedInTime(body.files, post, find)
  deps.seen.heard(channel, id)
  return id
}

/** The newest message of a channel, before something is posted there. */
async function newestIn({ api, seen }: PostDeps, channel: string): Promise<string> {
  const known = seen.newestIn(channel)
  if (known !== undefined) return known
  try {
    // A thread is as old as its id, and so is everything in it.
    return newestOf(await api.read<APIChannel>(Routes.channel(channel))) ?? channel
  } catch (thrown) {
    if (thrown instanceof RateLimited || isRefusal(thrown)) throw thrown
    throw new NotPosted('later', discordWords.discordUnreachable(), { cause: thrown, afterMs: tryAgainMs })
  }
}

export function sendEdit(send: Send, channel: string, id: string, { json, files }: Body): Promise<APIMessage> {
  const edit = () =>
    send<APIMessage>({
      method: 'PATCH',
      route: Routes.channelMessage(channel, id),
      // Components may replace the text that stood there.
      body: json.flags === MessageFlags.IsComponentsV2 ? { ...json, content: null } : json,
      files,
    })
  // Whether it was made doesn't matter: the next edit replaces text and files.
  return uploadedInTime(
    files,
    () => unarchiving(send, channel, edit),
    async () => undefined,
  )
}

/**
 * The same nonce within some minutes returns the same message; a reply to a deleted message becomes a plain message.
 */
const asNew = ({ replyTo }: PostTarget, key: string): RESTPostAPIChannelMessageJSONBody => ({
  nonce: nonceOf(key),
  enforce_nonce: true,
  ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
})

/** A failure in the port's terms. */
export async function explained<T>(deps: PostDeps, place: PostTarget, body: Body, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    throw toNotPosted(thrown, (code) => whyNot(deps.client(), place, body, code))
  }
}

const priorityOf = (page: Page): 'answer' | 'card' => (page.kind === 'card' ? 'card' : 'answer')

/** A page's message. Edits give no key: what a card is found by is no longer needed. */
async function bodyOf(page: Page, key?: string): Promise<Body> {
  if (page.kind === 'card') {
    const container = key === undefined ? page.container : { ...page.container, id: numberOf(key) }
    const json = { flags: MessageFlags.IsComponentsV2, components: [container], allowed_mentions: silent }
    return { json, files: [] }
  }
  const { files, failed } = await readFiles(page.files)
  if (page.again === true && files.length === 0) throw new NotPosted('never', failed.join(' ').replaceAll('-# ', ''))
  return {
    json: {
      content: withNote(page.content, failed.join('\n')),
      components: [],
      attachments: files.map(({ name }, index) => ({ id: String(index), filename: name })),
      allowed_mentions: page.rings === undefined ? silent : { ...silent, ...page.rings },
      flags: MessageFlags.SuppressEmbeds,
    },
    files,
  }
}

async function readFiles(files: OutgoingFile[]): Promise<{ files: RawFile[]; failed: string[] }> {
  const read: RawFile[] = []
  const failed: string[] = []
  for (const file of files) {
    try {
      read.push({ name: file.name, data: Buffer.from(await file.bytes()), contentType: file.type })
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      failed.push(`-# ${unreadFile(file, thrown)}`)
    }
  }
  return { files: read, failed }
}

const forbidden = new Set<number>([
  Code.MissingPermissions,
  Code.MissingAccess,
  Code.CannotReplyWithoutPermissionToReadMessageHistory,
])

function whyNot(
  client: Client | undefined,
  place: PostTarget,
  body: Body,
  code: number | undefined,
): Reason | undefined {
  if (code === undefined || !forbidden.has(code)) return undefined
  const files = body.files.length > 0 ? (['AttachFiles'] as const) : []
  const speak = place.replyTo === undefined ? (['SendMessagesInThreads'] as const) : (['SendMessages'] as const)
  return refusalFor(client, place.channel, ['ViewChannel', ...speak, 'ReadMessageHistory', ...files])
}
