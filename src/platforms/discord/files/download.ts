import { setTimeout as sleep } from 'node:timers/promises'
import { type APIMessage, Routes } from 'discord.js'
import type { RemoteFile } from '../../../domain/chat.ts'
import { Failure } from '../../../kit/failure.ts'
import { exactSize } from '../../exact-size.ts'
import { NotPosted } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { codeOf } from '../api/errors.ts'
import { type FileId, readFileId } from './file-id.ts'

/** Where Discord keeps files. */
const hosts = /(?:^|\.)(?:discord\.com|discordapp\.com|discordapp\.net)$/
const mostRedirects = 3
/** With the pauses between them some 8 seconds. */
const attempts = 5
const headersWithinMs = 30_000

/** A file's bytes, from nowhere but Discord, and only if they are what Discord said. */
export async function download(
  file: RemoteFile,
  { api, apiUrl }: { api: DiscordApi; apiUrl: string | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const id = readFileId(file.id)
  const ownHost = apiUrl === undefined ? undefined : new URL(apiUrl).host
  const allowed = ({ protocol, hostname, host }: URL) =>
    (protocol === 'https:' && hosts.test(hostname)) || (ownHost !== undefined && host === ownHost)
  let response = await patiently(() => request(id.url, allowed))
  if ([401, 403, 404, 410].includes(response.status)) {
    await response.body?.cancel()
    const url = await freshUrl(id, api)
    if (url === undefined) throw gone(file.name)
    response = await patiently(() => request(url, allowed))
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw gone(file.name)
  }
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/html') && !(id.type ?? '').startsWith('text/html')) {
    await response.body.cancel()
    throw notTheFile(file.name, 'a web page came instead of it')
  }
  if (id.size === 0) return response.body
  return response.body.pipeThrough(
    exactSize(id.size, {
      more: () => notTheFile(file.name, 'more came than Discord said'),
      less: (seen) => new Error(`${file.name}: only ${seen} of ${id.size} bytes came`),
    }),
  )
}

/** Reads again what may work again; gives up with "later", since the file is still there. */
async function patiently(run: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const failed = { why: 'cannot be reached', cause: undefined as unknown }
    try {
      const response = await run()
      if (response.status < 500 && response.status !== 429) return response
      await response.body?.cancel()
      failed.why = `answers ${response.status}`
    } catch (thrown) {
      if (thrown instanceof ElsewhereError) throw thrown
      failed.cause = thrown
    }
    if (attempt === attempts) {
      throw new NotPosted('later', `Discord's file server ${failed.why}`, { cause: failed.cause, afterMs: 5_000 })
    }
    await sleep(250 * 2 ** attempt, undefined, { ref: false })
  }
}

class ElsewhereError extends Error {
  constructor(host: string) {
    super(`a file of Discord is said to be at ${host}`)
    this.name = 'ElsewhereError'
  }
}

async function request(address: string, allowed: (url: URL) => boolean): Promise<Response> {
  let url = new URL(address)
  for (let redirect = 0; redirect <= mostRedirects; redirect++) {
    if (!allowed(url)) throw new ElsewhereError(url.host)
    const answered = new AbortController()
    const timer = setTimeout(() => answered.abort(new Error('Discord’s file server does not answer')), headersWithinMs)
    try {
      const response = await fetch(url, { redirect: 'manual', signal: answered.signal })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return response
      await response.body?.cancel()
      url = new URL(location, url)
    } finally {
      clearTimeout(timer)
    }
  }
  throw new Error('Discord’s file server redirects again and again')
}

/** Addresses end after a day: the message has a new one. */
async function freshUrl({ channel, message, attachment }: FileId, api: DiscordApi): Promise<string | undefined> {
  if (channel === undefined || message === undefined) return undefined
  const found = await api.read<APIMessage>(Routes.channelMessage(channel, message)).catch((thrown: unknown) => {
    // Refused: the message is deleted, or in a channel that is closed to us now.
    if (codeOf(thrown) === undefined) throw thrown
    return undefined
  })
  if (found === undefined) return undefined
  const { attachments, message_snapshots } = found
  const forwarded = (message_snapshots ?? []).flatMap((snapshot) => snapshot.message.attachments)
  return [...attachments, ...forwarded].find(({ id }) => id === attachment)?.url
}

const gone = (name: string) =>
  new Failure('file_gone', `${name} is not with Discord any more`, 'Send the file once more.')

const notTheFile = (name: string, why: string) =>
  new Failure('file_broken', `${name} could not be fetched: ${why}`, 'Send the file once more.')
