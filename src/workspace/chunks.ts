import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import { shown } from './failures.ts'
import { workspaceWords as words } from './words.ts'

/**
 * The bytes of a file up to the size in its entry, chunk by chunk. Throws `changed` once another file has its place, or
 * it was written anew, because nobody would notice that the first half is of the one and the second of the other. A log
 * may grow.
 */
export async function* chunksOf(
  workspace: Pick<Workspace, 'readRange' | 'stat'>,
  entry: WorkspaceEntry,
  chunkBytes: number,
): AsyncGenerator<Buffer> {
  const { path, size } = entry
  for (let offset = 0; offset < size; offset += chunkBytes) {
    const bytes = await workspace.readRange(path, offset, Math.min(chunkBytes, size - offset))
    const now = await workspace.stat(path)
    // If it was removed after its last chunk was read, nothing is missing.
    if (now !== undefined && isOther(now, entry)) {
      throw new Failure('changed', words.changedMeanwhile({ path: shown(path) }), words.changedMeanwhileRemedy())
    }
    yield bytes
  }
}

const isOther = (now: WorkspaceEntry, before: WorkspaceEntry): boolean =>
  now.inode !== before.inode ||
  now.size < before.size ||
  (now.size === before.size && now.modifiedAt !== before.modifiedAt)
