import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { WorkspaceFile } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { listFiles } from '../store/files.ts'
import type { Store } from '../store/store.ts'
import { lookAt } from '../workspace/look.ts'

/** Most files that are posted with one answer. */
const mostFiles = 50

export type NewOutput = WorkspaceFile & { hash: string }

/**
 * What the agent has left in outputs/ and was not posted in this form before. A file that cannot be read (a link, one that
 * vanished) is reported and passed over: the answer does not wait for it.
 */
export async function newOutputs(
  store: Store,
  session: SessionId,
  workspace: Workspace,
  report: (thrown: unknown) => void,
): Promise<NewOutput[]> {
  const posted = new Map((await listFiles(store.db, session)).map((file) => [file.path, file]))
  const found: NewOutput[] = []
  try {
    for await (const entry of workspace.walk('outputs')) {
      const before = posted.get(entry.path)
      if (before !== undefined && before.size === entry.size && entry.modifiedAt < before.recordedAt) continue
      const output = await readOutput(workspace, entry).catch(report)
      if (output && output.hash !== before?.hash) found.push(output)
      if (found.length === mostFiles) break
    }
  } catch (thrown) {
    report(thrown)
  }
  return found
}

async function readOutput(workspace: Workspace, { path, size }: WorkspaceEntry): Promise<NewOutput> {
  const { type } = await lookAt(workspace, path, basename(path))
  return { name: basename(path), path, size, type, hash: await hashOf(workspace, path, size) }
}

async function hashOf(workspace: Workspace, path: string, size: number): Promise<string> {
  const hash = createHash('sha256')
  const step = 1024 * 1024
  for (let offset = 0; offset < size; offset += step) hash.update(await workspace.readRange(path, offset, step))
  return hash.digest('hex')
}
