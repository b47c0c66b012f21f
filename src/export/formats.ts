import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Workspace } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { chunksOf } from '../workspace/chunks.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { type Exported, exportThread } from './exported.ts'
import type { ExportFormat } from './format.ts'
import { toMarkdown } from './markdown.ts'

const chunkBytes = 1024 * 1024

/** A thread in a format, as it is now. Files are read while the stream is. */
export async function exportAs(
  format: ExportFormat,
  store: Store,
  session: Session,
  workspace: Workspace | undefined,
): Promise<Readable> {
  const exported = await exportThread(store, session, workspace)
  if (format === 'md') return Readable.from([toMarkdown(exported, false)])
  if (format === 'json') return Readable.from([toJson(exported)])
  const { default: JSZip } = await import('jszip')
  const zip = new JSZip()
  zip.file('thread.md', toMarkdown(exported, true))
  zip.file('thread.json', toJson(exported))
  if (workspace !== undefined) {
    for (const { path, modified_at } of exported.files)
      zip.file(`files/${path}`, Readable.from(bytesOf(workspace, path)), { date: new Date(modified_at) })
  }
  const packed = zip.generateNodeStream({ streamFiles: true, compression: 'DEFLATE', compressionOptions: { level: 3 } })
  // JSZip's streams are of an old kind, which neither end with their reader nor can be made into a web stream.
  return new Readable().wrap(packed)
}

/** The files of a thread, for whoever isn't the bot itself; undefined if it never had any. */
export async function filesOf(directory: string, session: Session): Promise<Workspace | undefined> {
  const root = join(directory, homeOf(session))
  return existsSync(root) ? openWorkspace(root) : undefined
}

const toJson = (exported: Exported): string => `${JSON.stringify(exported, undefined, 2)}\n`

/** How reading a file fails that is no longer there, or whose name can't be a path. */
const removed = ['not_found', 'not_a_file', 'not_a_folder', 'path_refused']

/**
 * What was removed before it could be read is left empty. If anything else fails, the archive breaks off, lest it look
 * whole.
 */
async function* bytesOf(workspace: Workspace, path: string): AsyncGenerator<Buffer> {
  let isBegun = false
  try {
    const entry = await workspace.stat(path)
    if (entry?.kind !== 'file') return
    for await (const bytes of chunksOf(workspace, entry, chunkBytes)) {
      isBegun = true
      yield bytes
    }
  } catch (thrown) {
    if (isBegun || !(thrown instanceof Failure && removed.includes(thrown.code))) throw thrown
  }
}

const longestName = 60

/** A file name for it that every system takes. */
export function exportName({ title, id }: Session, format: ExportFormat): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return `${[...name].slice(0, longestName).join('') || id}.${format}`
}
