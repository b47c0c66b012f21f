import { basename } from 'node:path'
import type { WorkspaceFile } from '../domain/chat.ts'
import type { Message } from '../domain/messages.ts'
import { plainName } from '../domain/text.ts'
import type { Workspace } from '../domain/workspace.ts'
import { decode } from '../workspace/text.ts'
import { isText } from '../workspace/type.ts'

/**
 * What is put before the model once, with messages that it has not answered yet: the files that `#name` means, and the
 * text of small uploads. Neither is stored or sent again.
 */
export async function remindersFor(
  unanswered: Message[],
  workspace: Workspace,
  inlineBytes: number,
): Promise<string[]> {
  const messages = unanswered.filter((message) => message.role === 'user')
  const files = messages.flatMap((message) => message.files)
  const named = namedFiles(messages.map(({ text }) => text).join('\n'), workspace)
  const texts = files.map((file) => inlineText(file, workspace, inlineBytes))
  // A file that vanished, or was replaced by a link, is looked for by the model itself, and refused there.
  const told = await Promise.allSettled([named, ...texts])
  return told.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))
}

async function namedFiles(text: string, workspace: Workspace): Promise<string[]> {
  if (!text.includes('#')) return []
  const lines: string[] = []
  for (const folder of ['uploads', 'outputs', 'temp']) {
    for await (const { path, size } of workspace.walk(folder)) {
      const name = [path, basename(path)].find((candidate) => isNamed(text, candidate))
      if (name !== undefined) lines.push(`#${plainName(name)} is the file ${quoted(path)} (${size} bytes).`)
    }
  }
  return lines.length === 0 ? [] : [lines.join('\n')]
}

/** A name in quotes, in which no tag can begin. */
const quoted = (name: string): string => JSON.stringify(name).replaceAll('<', '\\u003c')

/** Names may hold spaces, so a name is looked for in the text; it ends where no longer word goes on. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(`#${name}`); at !== -1; at = text.indexOf(`#${name}`, at + 1)) {
    if (!/^[\p{L}\p{N}_-]/u.test(text.slice(at + 1 + name.length))) return true
  }
  return false
}

async function inlineText(file: WorkspaceFile, workspace: Workspace, inlineBytes: number): Promise<string | undefined> {
  if (file.size === 0 || file.size > inlineBytes) return undefined
  const bytes = await workspace.read(file.path, inlineBytes)
  if (!isText(bytes)) return undefined
  const { text, lossy } = decode(bytes)
  // What the file says may not look like the end of the file, or like a reminder.
  const harmless = text.replace(/<(\/?)(file|system_reminder)/gi, '<$1quoted_$2')
  return lossy ? undefined : `<file path=${quoted(file.path)}>\n${harmless}\n</file>`
}
