import { type APIMessage, Routes } from 'discord.js'
import type { RemoteFile } from '../../../domain/chat.ts'
import { Failure } from '../../../kit/failure.ts'
import { exactSize } from '../../exact-size.ts'
import { ElsewhereError, fetchFile, isServerBusy } from '../../fetch-file.ts'
import { NotPosted } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { codeOf, tryAgainMs } from '../api/errors.ts'
import { discordWords } from '../words/words.ts'
import { type FileId, readFileId } from './file-id.ts'

/** Where Discord keeps files. */
const hosts = /(?:^|\.)(?:discord\.com|discordapp\.com|discordapp\.net)$/

/** A file's bytes, only from Discord, and only if they are what Discord said. */
export async function download(
  file: RemoteFile,
  { api, apiUrl }: { api: DiscordApi; apiUrl: string | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const id = readFileId(file.id)
  const ownHost = apiUrl === undefined ? undefined : new URL(apiUrl).host
  const allows = ({ protocol, hostname, host }: URL) =>
    (protocol === 'https:' && hosts.test(hostname)) || (ownHost !== undefined && host === ownHost)
  let response = await fromServer(id.url, allows)
  if ([401, 403, 404, 410].includes(response.status)) {
    await response.body?.cancel()
    const url = await freshUrl(id, api)
    if (url === undefined) throw gone(file.name)
    response = await fromServer(url, allows)
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw gone(file.name)
  }
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/html') && !(id.type ?? '').startsWith('text/html')) {
    await response.body.cancel()
    throw notTheFile(file.name, discordWords.htmlCame())
  }
  const { size: bytes } = id
  return exactSize(response.body, bytes, {
    more: () => notTheFile(file.name, discordWords.moreBytes()),
    less: (seen) => later(discordWords.fewerBytes({ seen, bytes })),
    broken: (cause) => later(discordWords.brokeOff(), cause),
  })
}

/** The file is still there, so it is asked for again. */
const later = (why: string, cause?: unknown) =>
  new NotPosted('later', discordWords.fileServerTrouble({ why }), { cause, afterMs: tryAgainMs })

async function fromServer(address: string, allows: (url: URL) => boolean): Promise<Response> {
  const response = await fetchFile(address, { allows }).catch((thrown: unknown) => {
    throw thrown instanceof ElsewhereError ? thrown : later(discordWords.cannotBeReached(), thrown)
  })
  if (!isServerBusy(response)) return response
  await response.body?.cancel()
  throw later(discordWords.answersStatus({ status: response.status }))
}

/** Links expire after a day; the message has a new one. */
async function freshUrl({ channel, message, attachment }: FileId, api: DiscordApi): Promise<string | undefined> {
  if (channel === undefined || message === undefined) return undefined
  const found = await api.read<APIMessage>(Routes.channelMessage(channel, message)).catch((thrown: unknown) => {
    // Refused: the message was deleted, or its channel is closed to us now.
    if (codeOf(thrown) === undefined) throw later(discordWords.cannotBeReached(), thrown)
    return undefined
  })
  if (found === undefined) return undefined
  const { attachments, message_snapshots } = found
  const forwarded = (message_snapshots ?? []).flatMap((snapshot) => snapshot.message.attachments)
  return [...attachments, ...forwarded].find(({ id }) => id === attachment)?.url
}

const gone = (name: string) =>
  new Failure('file_gone', discordWords.noLongerThere({ name }), discordWords.sendAgainRemedy())

const notTheFile = (name: string, why: string) =>
  new Failure('file_broken', discordWords.notFetched({ name, why }), discordWords.sendAgainRemedy())
