import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../../../domain/chat.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { NotPosted, type OutgoingFile, type Posting } from '../../platform.ts'
import { refusedFiles, unreadFile } from '../../words/file-words.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Shared, Shares } from '../files/shares.ts'
import { putUpload, TooSlow } from '../files/upload.ts'
import type { FilesPage } from '../pages/page.ts'
import { escapeText } from '../text/escape.ts'
import { slackWords } from '../words/words.ts'
import { findPosted } from './find.ts'
import { writeNote } from './note.ts'

/** How long to wait before the thread is told that there is no file, and how long the first wait is, ms. */
const tries = 3
const firstWaitMs = 250

interface Deps {
  slack: SlackWorkspace
  shares: Shares
}

interface Read {
  file: OutgoingFile
  bytes: Uint8Array<ArrayBuffer>
}

interface Uploaded {
  id: string
  title: string
}

/** One that Slack doesn't accept, while it may accept the others. */
interface Refused {
  file: OutgoingFile
  why: NotPosted
}

/**
 * Posts files as one message in the thread; resolves with its ts, or a file's id if Slack doesn't return it in time.
 * Files that can't be read, are refused, or aren't shown, are named instead; if no file is left, it resolves with the
 * ts of the message that names them.
 */
export async function postFiles(
  deps: Deps,
  thread: ThreadRef,
  { files, again = false }: FilesPage,
  posting: Posting,
  say: (text: string) => Promise<string>,
): Promise<string> {
  const { read, missing } = await readAll(files)
  if (read.length === 0) {
    if (again) throw new NotPosted('never', missing.join(' '))
    return say(missing.join('\n'))
  }
  try {
    return await share(deps, thread, { read, missing, again }, posting, say)
  } catch (thrown) {
    // Without a valid token, nothing can be posted in the thread either.
    if (again || !(thrown instanceof NotPosted) || thrown.again === 'later' || thrown.everywhere) throw thrown
    const sent = read.map(({ file }) => file)
    if (thrown.again === 'repairable') await posting.postpone(sent)
    return say([refusedFiles(sent, thrown), ...missing].join('\n'))
  }
}

async function share(
  { slack, shares }: Deps,
  where: ThreadRef,
  { read, missing, again }: { read: Read[]; missing: string[]; again: boolean },
  posting: Posting,
  say: (text: string) => Promise<string>,
): Promise<string> {
  const { project: channel, thread } = where
  const { uploaded, refused } = await certainlyNotPosted(() => upload({ slack, shares }, read, posting, again))
  const [first, ...rest] = uploaded
  const later = refused.filter(({ why }) => why.again === 'repairable').map(({ file }) => file)
  if (later.length > 0) await posting.postpone(later)
  const named = refused.map(({ file, why }) => refusedFiles([file], why))
  const comment = [...named, ...missing].map(escapeText).join('\n')
  if (first === undefined) throw new NotPosted('never', 'there is no file to post')

  const call = { bucket: 'files.completeUploadExternal', channel, priority: 'answer' } as const
  const ids = { files: uploaded.map(({ id }) => id) }
  const sent = slack.api.write(call, async (client) => {
    await posting.remember(writeNote({ ...ids, sent: true }))
    return client.files.completeUploadExternal({
      files: [first, ...rest],
      channel_id: channel,
      thread_ts: thread,
      ...(comment === '' ? {} : { initial_comment: comment }),
    })
  })
  const shared = shares.watch(first.id, sent)
  try {
    await sent
  } catch (thrown) {
    // Slack refused them: nothing has to be waited for.
    if (thrown instanceof NotPosted) await posting.remember(writeNote(ids))
    throw thrown
  }
  let found = await shared
  if (found === 'nowhere') found = await lookIn(slack, where, { ...posting, note: writeNote(ids) })
  if (found !== 'nowhere') return typeof found === 'object' ? found.ts : first.id
  const names = uploaded.map(({ title }) => title).join(', ')
  try {
    return await say([slackWords.notShown({ names, count: uploaded.length }), ...named, ...missing].join('\n'))
  } catch (thrown) {
    // Slack took the files, so another attempt might show them twice.
    const about = { platform: 'slack', reason: reasonOf(thrown) }
    slack.log.warn(about, 'the thread could not be told that Slack does not show its files')
    return first.id
  }
}

/** Slack took the files, and says that they are in no message, but they may be. */
async function lookIn(slack: SlackWorkspace, thread: ThreadRef, posting: Posting): Promise<Shared> {
  // Outside of threads they couldn't be recognised.
  if (thread.thread === '') return 'unknown'
  try {
    const ts = await findPosted(slack, thread, posting)
    return ts === undefined ? 'nowhere' : { ts }
  } catch {
    return 'unknown'
  }
}

/** A file that is gone, or too large, is named instead. */
async function readAll(files: OutgoingFile[]): Promise<{ read: Read[]; missing: string[] }> {
  const read: Read[] = []
  const missing: string[] = []
  for (const file of files) {
    try {
      read.push({ file, bytes: Uint8Array.from(await file.bytes()) })
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      missing.push(unreadFile(file, thrown))
    }
  }
  return { read, missing }
}

/** Nobody sees an upload until it is completed, so accidental failures are retried. */
async function certainlyNotPosted<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (thrown) {
      if (thrown instanceof NotPosted) throw thrown
      const why = `the upload failed (${reasonOf(thrown)})`
      if (attempt === tries) throw new NotPosted('repairable', why, { cause: thrown })
      await sleep(firstWaitMs * 2 ** attempt)
    }
  }
}

/** Throws if Slack accepts none of them. `again`: those that may be accepted later wait for that, with the others. */
async function upload(
  { slack, shares }: Deps,
  files: Read[],
  posting: Posting,
  again: boolean,
): Promise<{ uploaded: Uploaded[]; refused: Refused[] }> {
  const refused: Refused[] = []
  const isItsOwn = (why: NotPosted) => why.again === 'never' || (why.again === 'repairable' && !again)
  const each = <T extends Read, R>(all: T[], run: (one: T) => Promise<R>) =>
    eachUnlessRefused(all, run, (file, why) => isItsOwn(why) && refused.push({ file, why }) > 0)
  const places = await each(files, (one) => place(slack, one))
  await posting.remember(writeNote({ files: places.map(({ id }) => id) }))
  const uploaded = await each(places, async (one) => {
    // The others would be too slow as well, and the thread would wait for each.
    const slow = refused.find(({ why }) => why instanceof TooSlow)
    if (slow !== undefined) throw slow.why
    await putUpload(one.url, one.bytes, shares.uploadMs)
    return { id: one.id, title: one.file.name }
  })
  const reason = refused.find(({ why }) => why.again === 'repairable') ?? refused[0]
  if (uploaded.length === 0 && reason !== undefined) throw reason.why
  return { uploaded, refused }
}

/** One after the other, because they are large. One that is refused keeps back no other, if `refuse` takes it. */
async function eachUnlessRefused<T extends Read, R>(
  files: T[],
  run: (one: T) => Promise<R>,
  refuse: (file: OutgoingFile, why: NotPosted) => boolean,
): Promise<R[]> {
  const results: R[] = []
  for (const one of files) {
    try {
      results.push(await run(one))
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.everywhere || !refuse(one.file, thrown)) throw thrown
    }
  }
  return results
}

async function place({ api }: SlackWorkspace, { file, bytes }: Read) {
  if (bytes.byteLength === 0) throw new NotPosted('never', slackWords.emptyFile())
  const call = { bucket: 'files.getUploadURLExternal', priority: 'answer' } as const
  const { file_id: id, upload_url: url } = await api.write(call, (client) =>
    client.files.getUploadURLExternal({ filename: file.name, length: bytes.byteLength }),
  )
  if (id === undefined || url === undefined) throw new Error('Slack returned no upload address')
  return { id, file, url, bytes }
}
