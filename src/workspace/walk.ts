import type { WorkspaceEntry } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import { about } from './failures.ts'
import type { Folder } from './folder.ts'
import { listFolder, tooMany } from './listing.ts'

export interface WalkOptions {
  /** Includes hidden files, .git, node_modules and __pycache__. */
  all: boolean
  /** How many files before it ends with `too_many`. */
  entries: number
  depth: number
}

const left = new Set(['node_modules', '__pycache__'])

/** `path` may be a name. */
export const isLeftOut = (path: string, kind: WorkspaceEntry['kind']): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.startsWith('.') || (kind === 'directory' && left.has(name))
}

/**
 * All files below a folder, one folder after the other, each opened only when its turn comes. Each is opened from the
 * root again, so that no descriptor stays open while the caller works.
 */
export async function* walkFolders(
  folderAt: (parts: string[]) => Promise<Folder>,
  start: string[],
  { all, entries, depth }: WalkOptions,
): AsyncGenerator<WorkspaceEntry> {
  const waiting = [start]
  let seen = 0
  for (let parts = waiting.pop(); parts; parts = waiting.pop()) {
    const found = await listed(folderAt, parts, entries, parts === start)
    const wanted = found.filter(({ path, kind }) => all || !isLeftOut(path, kind))
    for (const entry of wanted) {
      if (++seen > entries) throw tooMany(start.join('/') || '.', entries)
      if (entry.kind === 'file') yield entry
    }
    if (parts.length - start.length >= depth) continue
    for (const { path } of wanted.filter(({ kind }) => kind === 'directory').reverse()) waiting.push(path.split('/'))
  }
}

/** Below the start, a folder that vanished, became a link or can't be opened is skipped. */
const passedOver = new Set(['not_found', 'not_a_folder', 'path_refused', 'no_access'])

async function listed(
  folderAt: (parts: string[]) => Promise<Folder>,
  parts: string[],
  entries: number,
  isStart: boolean,
): Promise<WorkspaceEntry[]> {
  try {
    return await about(parts.join('/') || '.', async () => {
      await using folder = await folderAt(parts)
      return await listFolder(folder, parts, entries)
    })
  } catch (thrown) {
    if (!isStart && thrown instanceof Failure && passedOver.has(thrown.code)) return []
    throw thrown
  }
}
