import type { ThreadRef } from '../../../domain/chat.ts'
import { BobbinError, reasonOf } from '../../../domain/errors.ts'
import { NotPosted, type OutgoingFile, type Posting } from '../../platform.ts'
import { escapeText } from '../escape.ts'
import { writeNote } from '../post/note.ts'
import type { Workspace } from '../workspace.ts'
import type { Shares } from './shares.ts'

const uploadTimeoutMs = 120_000

interface Read {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

interface Uploaded {
  id: string
  title: string
}

/**
 * Posts files as one message in the thread; resolves with its ts, or a file's id where Slack does not tell it in time.
 * Where none of them can be had, that is said instead.
 */
export async function postFiles(
  { slack, shares }: { slack: Workspace; shares: Shares },
  { project: channel, thread }: ThreadRef,
  files: OutgoingFile[],
  posting: Posting,
  say: (text: string) => Promise<string>,
): Promise<string> {
  const { read, missing } = await readAll(files)
  if (read.length === 0) return say(missing.join('\n'))
  const [first, ...rest] = await certainlyNotPosted(() => upload(slack, read, posting))
  const comment = missing.map(escapeText).join('\n')
  if (first === undefined) throw new NotPosted('never', 'there is no file to post')

  const shared = shares.watch(first.id)
  const call = { bucket: 'files.completeUploadExternal', channel, priority: 'answer' } as const
  await slack.api.write(call, (client) =>
    client.files.completeUploadExternal({
      files: [first, ...rest],
      channel_id: channel,
      thread_ts: thread,
      ...(comment === '' ? {} : { initial_comment: comment }),
    }),
  )
  return (await shared) ?? first.id
}

/** A file that is gone, or too large, is named instead. */
async function readAll(files: OutgoingFile[]): Promise<{ read: Read[]; missing: string[] }> {
  const read: Read[] = []
  const missing: string[] = []
  for (const file of files) {
    try {
      read.push({ name: file.name, bytes: Uint8Array.from(await file.bytes()) })
    } catch (thrown) {
      if (!(thrown instanceof BobbinError)) throw thrown
      missing.push(`${file.name}: ${thrown.message}`)
    }
  }
  return { read, missing }
}

/** Until it is completed, nobody sees anything of an upload. */
async function certainlyNotPosted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof NotPosted) throw thrown
    throw new NotPosted('later', `the files could not be uploaded: ${reasonOf(thrown)}`, { cause: thrown })
  }
}

async function upload(slack: Workspace, files: Read[], posting: Posting): Promise<Uploaded[]> {
  const places = await Promise.all(files.map((file) => place(slack, file)))
  await posting.remember(writeNote({ files: places.map(({ id }) => id) }))
  for (const { url, bytes } of places) await send(url, bytes)
  return places.map(({ id, title }) => ({ id, title }))
}

async function place({ api }: Workspace, { name, bytes }: Read) {
  const call = { bucket: 'files.getUploadURLExternal', priority: 'answer' } as const
  const { file_id: id, upload_url: url } = await api.write(call, (client) =>
    client.files.getUploadURLExternal({ filename: name, length: bytes.byteLength }),
  )
  if (id === undefined || url === undefined) throw new Error('Slack gave no place to upload to')
  return { id, title: name, url, bytes }
}

async function send(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const signal = AbortSignal.timeout(uploadTimeoutMs)
  const response = await fetch(url, { method: 'POST', body: bytes, redirect: 'error', signal })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the upload was answered with ${response.status}`)
}
