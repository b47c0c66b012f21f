import type { Message } from '../../domain/messages.ts'
import type { Workspace, WorkspaceEntry } from '../../domain/workspace.ts'
import { quoted } from '../../kit/text/quoted.ts'
import { plainName } from '../../kit/text/text.ts'
import type { SentHistory } from '../port/capability.ts'
import type { Turn } from '../state/turn.ts'
import { imagesAmong } from './images.ts'
import { type NamedFiles, namedFiles, namesFiles, unknownLines } from './named-files.ts'
import type { Sight } from './reply.ts'
import { hintsFor } from './upload-hints.ts'
import { textsOf, type UploadText } from './upload-texts.ts'

/**
 * Shown to the model once, with messages it hasn't answered yet: the files that `#name` means, what to do with uploads,
 * the text of small ones, and images. None of it is stored or sent again.
 */
export async function remindersFor(
  sent: SentHistory,
  turn: Turn,
): Promise<{ texts: string[]; data: UploadText[]; sight?: Sight }> {
  const { workspace } = turn
  const limits = turn.bot.config.uploads
  const all = sent.unanswered.filter((message) => message.role === 'user')
  const messages = all.filter(({ origin }) => origin !== 'seen')
  const seen = all.filter(({ origin }) => origin === 'seen').flatMap((message) => message.files)
  const files = messages.flatMap((message) => message.files)
  const named = await namedIn(messages, workspace).catch(() => ({ found: [], unknown: [] }))
  const latestFirst = messages.toReversed().flatMap((message) => message.files)
  const data = await textsOf(latestFirst, turn)

  // Named files first, then the latest.
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
  return { texts: told, data, ...(sight && { sight }) }
}

/** The paths of files, without the images that were described already. */
const withoutSeen = (files: readonly { path: string }[], seen: readonly { path: string }[]): string[] =>
  files.map(({ path }) => path).filter((path) => !seen.some((one) => one.path === path))

/** What `#name` means in these messages. The folders are searched only if there is one. */
async function namedIn(messages: Message[], workspace: Workspace): Promise<NamedFiles<WorkspaceEntry>> {
  const text = messages.map((message) => message.text).join('\n')
  if (!namesFiles(text)) return { found: [], unknown: [] }
  const entries: WorkspaceEntry[] = []
  for (const folder of ['uploads', 'outputs', 'temp']) {
    for await (const entry of workspace.walk(folder)) entries.push(entry)
  }
  return namedFiles(text, entries)
}
