import type { WorkspaceFile } from '../../domain/chat.ts'
import type { Message } from '../../domain/messages.ts'
import type { Workspace, WorkspaceEntry } from '../../domain/workspace.ts'
import { isText } from '../../kit/files/type.ts'
import { detectEncoding } from '../../kit/text/encoding.ts'
import { decode } from '../../kit/text/plain-text.ts'
import { quoted } from '../../kit/text/quoted.ts'
import { plainName } from '../../kit/text/text.ts'
import type { SentHistory } from '../port/capability.ts'
import type { Quoted } from '../prompt/request.ts'
import type { Turn } from '../state/turn.ts'
import { imagesAmong } from './images.ts'
import { type NamedFiles, namedFiles, unknownLines } from './named-files.ts'
import type { Sight } from './reply.ts'
import { hintsFor } from './upload-hints.ts'

/**
 * Shown to the model once, with messages it hasn't answered yet: the files that `#name` means, what to do with uploads,
 * the text of small ones, and images. None of it is stored or sent again.
 */
export async function remindersFor(
  sent: SentHistory,
  turn: Turn,
): Promise<{ texts: string[]; data: Quoted[]; sight?: Sight }> {
  const { workspace } = turn
  const limits = turn.bot.config.uploads
  const all = sent.unanswered.filter((message) => message.role === 'user')
  const messages = all.filter(({ origin }) => origin !== 'seen')
  const seen = all.filter(({ origin }) => origin === 'seen').flatMap((message) => message.files)
  const files = messages.flatMap((message) => message.files)
  const named = await namedIn(messages, workspace).catch(() => ({ found: [], unknown: [] }))
  // If a file has vanished or was replaced by a link, the model finds out when it looks.
  const read = await Promise.allSettled(files.map((file) => inlineText(file, turn)))
  const inline = read.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))

  // Named files first, then the latest.
  const latestFirst = messages.toReversed().flatMap((message) => message.files)
  const { texts, sight } = await imagesAmong(
    withoutSeen([...named.found.map(({ entry }) => entry), ...latestFirst], seen),
    workspace,
    limits,
    turn.canSee,
  )
  const meant = named.found.map(
    ({ name, entry }) => `#${plainName(name)} is the file ${quoted(entry.path)} (${entry.size} bytes).`,
  )
  const lines = [...meant, ...unknownLines(named), ...hintsFor(files)]
  const own = await turn.bot.capabilities.reminders(turn, sent, turn.hookContext)
  const told = [...(lines.length > 0 ? [lines.join('\n')] : []), ...texts, ...own]
  return { texts: told, data: inline, ...(sight && { sight }) }
}

/** The paths of files, without the images that were described already. */
const withoutSeen = (files: readonly { path: string }[], seen: readonly { path: string }[]): string[] =>
  files.map(({ path }) => path).filter((path) => !seen.some((one) => one.path === path))

/** What `#name` means in these messages. The folders are searched only if there is one. */
async function namedIn(messages: Message[], workspace: Workspace): Promise<NamedFiles<WorkspaceEntry>> {
  const text = messages.map((message) => message.text).join('\n')
  if (!text.includes('#')) return { found: [], unknown: [] }
  const entries: WorkspaceEntry[] = []
  for (const folder of ['uploads', 'outputs', 'temp']) {
    for await (const entry of workspace.walk(folder)) entries.push(entry)
  }
  return namedFiles(text, entries)
}

async function inlineText(file: WorkspaceFile, { workspace, bot, store }: Turn): Promise<Quoted | undefined> {
  if (file.size === 0 || file.size > bot.config.uploads.inlineBytes) return undefined
  const bytes = await workspace.read(file.path, bot.config.uploads.inlineBytes)
  if (!isText(bytes)) return undefined
  const { text, lossy, encoding } = decode(bytes)
  // In an encoding that has to be guessed, it is shown by the tool that says so.
  const isGuessed = lossy || detectEncoding(bytes).encoding !== encoding
  return isGuessed ? undefined : { source: `the file ${file.path}`, text: store.mask(text) }
}
