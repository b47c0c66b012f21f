import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { hasDescriptorPaths } from '../kit/files/below.ts'
import type { Amount } from './count.ts'
import { about } from './failures.ts'
import { type FileContent, lstatOrNothing, replaceFile } from './file.ts'
import { openHolds } from './holds.ts'
import { listFolder } from './listing.ts'
import { normalize, pathNames, writablePartsOf } from './paths.ts'
import { type PlacedFiles, placeFolder } from './place-folder.ts'
import { keyedQueue } from './queue.ts'
import { readsIn } from './reads.ts'
import { makeReady, type ReadyDirectory } from './ready.ts'
import { spelledIn } from './spelled.ts'
import { DiskUsage, withinQuota } from './usage.ts'
import { walkFolders } from './walk.ts'

export interface WorkspaceOptions {
  /** The largest file `read` takes by default, in bytes. */
  readBytes?: number
  /** Entries of one listing, or files of one walk, before it ends with `too_many`. */
  entries?: number
  /** How many folders deep a walk goes. */
  depth?: number
  /** What it may contain. Missing: as much as the disk holds. */
  quota?: Amount
  /** Asked right before a file or a folder is replaced; throws if it may not be. */
  mayWrite?: () => Promise<void>
  /** False uses the weaker jail for systems without /proc; see folder.ts. */
  descriptors?: boolean
  /** Told when something that a crash left can't be removed. */
  report?: (thrown: unknown) => void
}

/** A workspace that knows how much it contains, and how much it may. */
export interface MeasuredWorkspace extends Workspace, Pick<ReadyDirectory, 'mend' | 'takeMended' | 'isMended'> {
  usage(): Promise<Amount & { limits: Amount }>
  /** Puts a copy of a folder into skills/, unless the one with this mark is there. */
  place(name: string, mark: string, files: () => Promise<PlacedFiles>): Promise<void>
}

const noLimits = { bytes: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER }

/**
 * Opens a session's directory and creates what is missing. There must be only one object per directory and process,
 * because it holds the queues of `exclusively` and what is held.
 */
export async function openWorkspace(directory: string, options: WorkspaceOptions = {}): Promise<MeasuredWorkspace> {
  const { readBytes: defaultBytes = 100 * 1024 * 1024, entries = 100_000, depth = 64 } = options
  const { descriptors = hasDescriptorPaths(), report = () => {}, mayWrite = async () => {} } = options
  const { root, folderAt, ...mending } = await makeReady(directory, { descriptors, depth, report })
  const exclusively = keyedQueue()
  const holds = openHolds()
  const replacing = (path: string, work: () => Promise<void>) => holds.replacing(path, () => mayWrite().then(work))
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
        const name = await spelledIn(folder, parts.name)
        const unlessHeld = (work: () => Promise<void>) => replacing([...parts.folder, name].join('/'), work)
        const replace = (counted: FileContent) => replaceFile(folder, name, path, counted, exclusive, unlessHeld)
        if (options.quota === undefined) return await replace(content)
        const before = await lstatOrNothing(folder.at(name))
        await withinQuota(usage, before?.size, content, replace)
      }
      // A stream can only be read once.
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

    exclusively: async (path, work) => exclusively(normalize(path).normalize('NFC'), work),

    holding: holds.holding,

    place: (name, mark, files) =>
      exclusively(`skills/${name}`, async () => {
        const unlessHeld = (work: () => Promise<void>) => replacing(`skills/${name}`, work)
        if (await placeFolder(folderAt, name, mark, files, unlessHeld)) usage.forget()
      }),
  }
}
