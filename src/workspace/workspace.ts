import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import type { Amount } from './count.ts'
import { about } from './failures.ts'
import { type FileContent, lstatOrNothing, replaceFile } from './file.ts'
import { hasDescriptorPaths } from './folder.ts'
import { listFolder } from './listing.ts'
import { normalize, pathNames, writablePartsOf } from './paths.ts'
import { keyedQueue } from './queue.ts'
import { readsIn } from './reads.ts'
import { makeReady, type ReadyDirectory } from './ready.ts'
import { DiskUsage, withinQuota } from './usage.ts'
import { walkFolders } from './walk.ts'

export interface WorkspaceOptions {
  /** Largest file that `read` takes when it is not told, in bytes. */
  readBytes?: number
  /** Entries of one listing, and files of one walk, before they end with `too_many`. */
  entries?: number
  /** Folders below which a walk does not go. */
  depth?: number
  /** What may lie in it. Without, as much as the disk has. */
  quota?: Amount
  /** False takes the weaker jail of systems without /proc; see folder.ts. */
  descriptors?: boolean
}

/** A workspace that knows what lies in it, and how much may. */
export interface MeasuredWorkspace extends Workspace, Pick<ReadyDirectory, 'mend' | 'takeMended' | 'isMended'> {
  usage(): Promise<Amount & { limits: Amount }>
}

const noLimits = { bytes: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER }

/** Opens a session's directory and makes what is missing of it. One object per directory and process: it holds the queues of `exclusively`. */
export async function openWorkspace(directory: string, options: WorkspaceOptions = {}): Promise<MeasuredWorkspace> {
  const { readBytes: defaultBytes = 100 * 1024 * 1024, entries = 100_000, depth = 64 } = options
  const { descriptors = hasDescriptorPaths() } = options
  const { root, folderAt, ...mending } = await makeReady(directory, descriptors, depth)
  const exclusively = keyedQueue()
  const usage = new DiskUsage(root, options.quota ?? noLimits)

  return {
    root,
    normalize,
    ...readsIn(folderAt, defaultBytes),
    ...mending,

    write: (path, content, { exclusive = false } = {}) => {
      const writeOnce = async () => {
        const parts = writablePartsOf(path)
        await using folder = await folderAt(parts.folder, true)
        const replace = (counted: FileContent) => replaceFile(folder, parts.name, path, counted, exclusive)
        if (options.quota === undefined) return await replace(content)
        const before = await lstatOrNothing(folder.at(parts.name))
        await withinQuota(usage, before?.size, content, replace)
      }
      // A stream can be read once.
      return about(path, writeOnce, { again: typeof content === 'string' || content instanceof Uint8Array })
    },

    list: (path) =>
      about(path, async () => {
        const parts = pathNames(path)
        await using folder = await folderAt(parts)
        return await listFolder(folder, parts, entries)
      }),

    walk: (path, { all = false } = {}): AsyncIterable<WorkspaceEntry> =>
      walkFolders(folderAt, pathNames(path), { all, entries, depth }),

    remeasure: () => usage.forget(),

    usage: async () => ({ ...(await usage.current()), limits: usage.limits }),

    exclusively: async (path, work) => exclusively(normalize(path), work),
  }
}
