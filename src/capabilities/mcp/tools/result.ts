import type { ToolContext } from '../../../domain/tool.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { deepest, type Json, levelsOf } from '../../../kit/json.ts'
import { withoutInvisible } from '../../../kit/text/invisible.ts'
import { counted } from '../../../kit/text/shown.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { LeaseLost } from '../../../store/lease-lost.ts'
import { safeName } from '../../../workspace/names.ts'
import type { Content, McpResult } from '../port.ts'

const endings = new Map([
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['image/gif', '.gif'],
  ['image/webp', '.webp'],
  ['image/svg+xml', '.svg'],
  ['audio/wav', '.wav'],
  ['audio/mpeg', '.mp3'],
  ['application/pdf', '.pdf'],
  ['application/json', '.json'],
  ['text/plain', '.txt'],
  ['text/html', '.html'],
  ['text/markdown', '.md'],
  ['text/csv', '.csv'],
])

/** A result as the model reads it: texts as they are, files in the workspace. Throws if the server reports an error. */
export async function resultText(
  { content, structured, isError }: McpResult,
  { workspace, call }: Pick<ToolContext, 'workspace' | 'call'>,
  { maxFiles, mask }: { maxFiles: number; mask(text: string): string },
): Promise<string> {
  const parts: string[] = []
  let files = 0
  for (const part of content) {
    if (part.kind !== 'file') parts.push(plainText(part, mask))
    else if (files++ < maxFiles)
      parts.push(await kept({ ...part, type: mask(part.type) }, `temp/mcp/${call}-${files}`, workspace))
  }
  if (files > maxFiles)
    parts.push(`[${counted(files - maxFiles, 'more file')} left out: at most ${maxFiles} are kept.]`)
  const hasText = content.some(({ kind }) => kind === 'text')
  if (structured !== undefined && !hasText) parts.push(jsonText(structured))
  const text = parts.join('\n')
  if (isError) throw new Failure('mcp_error', text === '' ? 'The server says that it failed.' : text, '')
  return text === '' ? 'Done. The server returned nothing.' : text
}

/** One value a line, indented, unless that would take far more room than the values. */
function jsonText(value: Json): string {
  let indent = 0
  for (const { depth, values } of levelsOf(value)) {
    if (depth > deepest) return `[structuredContent left out: it is nested deeper than ${deepest} levels.]`
    indent += depth * values
  }
  const text = JSON.stringify(value)
  return withoutInvisible(indent > 4 * text.length ? text : JSON.stringify(value, null, 1))
}

function plainText(part: Exclude<Content, { kind: 'file' }>, mask: (text: string) => string): string {
  if (part.kind === 'text') return withoutInvisible(part.text.toWellFormed())
  // Masked before it is cut, because nobody would recognize a part of a secret.
  const shown = (text: string, most: number) => oneLine(mask(withoutInvisible(text)), most)
  const about = part.description === '' ? '' : `: ${shown(part.description, 300)}`
  return `[A resource of the server: ${shown(part.name, 200)} <${shown(part.uri, 1000)}>${about}]`
}

async function kept(
  { name, type, base64 }: Extract<Content, { kind: 'file' }>,
  start: string,
  workspace: ToolContext['workspace'],
): Promise<string> {
  const bytes = Buffer.from(base64, 'base64')
  const own = name === '' ? '' : `-${safeName(name)}`
  const path = `${start}${own}${own.includes('.') ? '' : (endings.get(type) ?? '.bin')}`
  const about = `${oneLine(withoutInvisible(type), 80)}, ${counted(bytes.length, 'byte')}`
  try {
    await workspace.write(path, bytes)
    return `[A file, ${about}: saved as ${path}. Read it with read_file.]`
  } catch (thrown) {
    if (thrown instanceof LeaseLost) throw thrown
    return `[A file, ${about}: it could not be kept. ${reasonOf(thrown)}]`
  }
}
