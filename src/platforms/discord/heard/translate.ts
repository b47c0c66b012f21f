import { type APIAttachment, type APIMessage, type APIUser, MessageType } from 'discord.js'
import { directTenant, type Heard, type Person, type RemoteFile, type ThreadRef } from '../../../domain/chat.ts'
import { plainName } from '../../../kit/text/text.ts'
import type { Message } from '../api/payload.ts'
import { timeOf } from '../api/snowflakes.ts'
import type { Directory } from '../directory/directory.ts'
import { dedupKeyOf } from '../directory/thread-refs.ts'
import { writeFileId } from '../files/file-id.ts'
import { quote, wordsOf } from './message-words.ts'
import type { Names } from './unfold.ts'

export function toHeard(message: Message, thread: ThreadRef, directory: Directory): Heard {
  const { tenant } = thread
  const self = directory.self
  const names = namesIn(message, tenant, directory)
  const inThread = message.channel_id === thread.thread
  const ownRole = message.mention_roles?.some((role) => directory.isOwnRole(tenant, role)) ?? false
  const mentioned = (message.mentions ?? []).some(({ id }) => id === self) || ownRole
  const isQuoted = !inThread || (mentioned && tenant !== directTenant)
  const about = isQuoted ? repliedTo(message, self) : undefined
  return {
    dedupKey: dedupKeyOf(thread, message.id),
    thread,
    person: personOf(message),
    text: textOf(message, names, about && quoteOf(about, tenant, directory)),
    files: [...filesOf(message), ...(about === undefined ? [] : quotedFiles(about, thread))],
    message: message.id,
    at: timeOf(message.id),
    editedAt: message.edited_timestamp == null ? undefined : Date.parse(message.edited_timestamp),
    mentioned,
    direct: tenant === directTenant,
    toOthers: !mentioned && namesOthers(message, self),
    reply: thread.thread !== message.id,
    quotesOthers: quotesOthers(message, about) || undefined,
    author: authorOf(message, self),
  }
}

const authorOf = ({ author, webhook_id }: Message, self: string): Heard['author'] => {
  if (author.id === self) return 'self'
  return author.bot === true || webhook_id !== undefined ? 'bot' : 'person'
}

const personOf = (message: Message): Person => nameUser(message.author, message.member?.nick)

export const nameUser = (user: APIUser, nick?: string | null): Person => ({
  id: user.id,
  name: plainName(nick ?? user.global_name ?? user.username),
})

/** A reply is addressed to the author of what it replies to, whether it notifies them or not. */
function namesOthers(message: Message, self: string): boolean {
  const replied = message.type === MessageType.Reply ? message.referenced_message?.author.id : undefined
  const roles = message.mention_roles?.length ?? 0
  return (
    roles > 0 || (replied !== undefined && replied !== self) || (message.mentions ?? []).some(({ id }) => id !== self)
  )
}

/** What a question is about. In a thread, too, it may be something that wasn't said to the bot. */
function repliedTo(message: Message, self: string): APIMessage | undefined {
  const about = message.type === MessageType.Reply ? (message.referenced_message ?? undefined) : undefined
  return about === undefined || about.author.id === self ? undefined : about
}

function namesIn(message: Message, tenant: string, directory: Directory): Names {
  const forwarded = (message.message_snapshots ?? []).map((snapshot) => snapshot.message)
  const users = new Map(
    [...forwarded, message]
      .flatMap(({ mentions = [] }) => mentions)
      .map((user) => [user.id, nameUser(user, 'member' in user ? nickOf(user.member) : null).name]),
  )
  return {
    isSelf: (kind, id) => (kind === 'user' ? id === directory.self : directory.isOwnRole(tenant, id)),
    user: (id) => users.get(id),
    role: (id) => directory.roleName(tenant, id),
    channel: (id) => directory.known(id)?.name,
  }
}

const nickOf = (member: unknown): string | null =>
  typeof member === 'object' && member !== null && 'nick' in member && typeof member.nick === 'string'
    ? member.nick
    : null

/** A reply brings along what it replies to. */
const quoteOf = (about: APIMessage, tenant: string, directory: Directory): string =>
  quote(`${personOf(about).name} wrote:`, wordsOf(about, namesIn(about, tenant, directory)).join('\n\n'))

function quotesOthers(message: APIMessage, about: APIMessage | undefined): boolean {
  const forwards = ({ message_snapshots = [] }: APIMessage) => message_snapshots.length > 0
  return forwards(message) || (about !== undefined && (about.author.id !== message.author.id || forwards(about)))
}

function textOf(message: Message, names: Names, quoted: string | undefined): string {
  return [...wordsOf(message, names), ...(quoted === undefined ? [] : [quoted])].join('\n\n')
}

/** With those that it forwards. */
const filesOf = (message: APIMessage): RemoteFile[] =>
  [message, ...(message.message_snapshots ?? []).map((snapshot) => snapshot.message)].flatMap(({ attachments }) =>
    attachments.map((file) => toFile(file, message)),
  )

const quotedFiles = (about: APIMessage, thread: ThreadRef): RemoteFile[] =>
  filesOf(about).map((file) => ({ ...file, of: dedupKeyOf(thread, about.id) }))

export const toFile = (file: APIAttachment, message?: Pick<APIMessage, 'id' | 'channel_id'>): RemoteFile => ({
  id: writeFileId({
    url: file.url,
    attachment: file.id,
    type: file.content_type,
    size: file.size,
    channel: message?.channel_id,
    message: message?.id,
  }),
  name: file.filename,
  size: file.size,
})
