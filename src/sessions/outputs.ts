import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { WorkspaceFile } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Workspace } from '../domain/workspace.ts'
import { listFiles } from '../store/files.ts'
import type { Store } from '../store/store.ts'
import { fileType } from '../workspace/type.ts'

/** Most files that are posted with one answer. */
const mostFiles = 50

export type NewOutput = WorkspaceFile & { hash: string }

/** What the agent has left in outputs/ and was not posted in this form before. */
export async function newOutputs(store: Store, session: SessionId, workspace: Workspace): Promise<NewOutput[]> {
  const posted = new Map((await listFiles(store.db, session)).map((file) => [file.path, file]))
  const found: NewOutput[] = []
  for await (const { path, size, modifiedAt } of workspace.walk('outputs')) {
    const before = posted.get(path)
    if (before !== undefined && before.size === size && modifiedAt < before.recordedAt) continue
    const hash = await hashOf(workspace, path, size)
    if (before?.hash === hash) continue
    found.push({
      name: basename(path),
      path,
      size,
      hash,
      type: await fileType(path, await workspace.readRange(path, 0, 4100)),
    })
    if (found.length === mostFiles) break
  }
  return found
}

async function hashOf(workspace: Workspace, path: string, size: number): Promise<string> {
  const hash = createHash('sha256')
  const step = 1024 * 1024
  for (let offset = 0; offset < size; offset += step) hash.update(await workspace.readRange(path, offset, step))
  return hash.digest('hex')
}
