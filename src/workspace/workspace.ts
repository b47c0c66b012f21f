import { mkdir, readdir, realpath } from 'node:fs/promises'
import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import type { Amount } from './count.ts'
import { about, refusedLink, shown } from './failures.ts'
import { type Content, lstatOrNothing, openFile, readBytes, replaceFile } from './file.ts'
import { descend, type Folder, hasDescriptorPaths, openRoot } from './folder.ts'
import { entryOf, listFolder } from './listing.ts'
import { mendFolders } from './mend.ts'
import { folders, normalize, pathNames, writableFolders, writablePartsOf } from './paths.ts'
import { keyedQueue } from './queue.ts'
import { sweepRemoved } from './remove.ts'
import { sweepBelow } from './temporary.ts'
import { Usage, withinQuota } from './usage.ts'
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
export interface MeasuredWorkspace extends Workspace {
  usage(): Promise<Amount & { limits: Amount }>
  /** Makes its folders anew where they are missing, or something else stands in their place. */
  mend(): Promise<void>
  /** What was mended since it was last asked, in sentences for people and the model. */
  takeMended(): string[]
  /** Whether there is something to be told of. */
  isMended(): boolean
}

const noLimits = { bytes: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER }

/** Opens a session's directory and makes what is missing of it. One object per directory and process: it holds the queues of `exclusively`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share what they hold, and nothing else may reach it.
export async function openWorkspace(directory: string, options: WorkspaceOptions = {}): Promise<MeasuredWorkspace> {
  const isNew = (await mkdir(directory, { recursive: true })) !== undefined
  const root = await realpath(directory)
  const { readBytes: defaultBytes = 100 * 1024 * 1024, entries = 100_000, depth = 64 } = options
  const { descriptors = hasDescriptorPaths() } = options
  const folderAt = async (parts: string[], make = false): Promise<Folder> =>
    descend(await openRoot(root, descriptors), parts, { make })
  const exclusively = keyedQueue()
  const usage = new Usage(root, options.quota ?? noLimits)

  let mended: string[] = []
  const mend = async (): Promise<void> => {
    await mkdir(root, { recursive: true })
    await using top = await openRoot(root, descriptors)
    mended.push(...(await about('.', () => mendFolders(top))))
  }

  if (!isNew) await sweepRemoved(root)
  // A removal leaves none of them, and is told of in its own words.
  const isEmpty = (await readdir(root)).every((name) => !folders.includes(name))
  await mend()
  if (isEmpty) mended = []
  if (!isNew) {
    await using top = await openRoot(root, descriptors)
    for (const name of writableFolders) await sweepBelow(top, name, depth)
  }

  /** Opens the folder that holds a path, and hands it over with the last name. */
  const inside = <T>(path: string, work: (folder: Folder, name: string, spelled: string) => Promise<T>): Promise<T> =>
    about(path, async () => {
      const parts = pathNames(path)
      await using folder = await folderAt(parts.slice(0, -1))
      return await work(folder, parts.at(-1) ?? '.', parts.join('/') || '.')
    })

  return {
    root,
    normalize,

    stat: async (path) => {
      try {
        return await inside(path, async (folder, name, spelled) => {
          const stat = await lstatOrNothing(folder.at(name))
          if (stat?.isSymbolicLink()) throw refusedLink(path)
          return stat && entryOf(spelled, stat)
        })
      } catch (thrown) {
        if (thrown instanceof Failure && ['not_found', 'not_a_folder'].includes(thrown.code)) return undefined
        throw thrown
      }
    },

    read: (path, maxBytes = defaultBytes) =>
      inside(path, async (folder, name) => {
        await using handle = await openFile(folder, name, path)
        const { size } = await handle.stat()
        if (size > maxBytes) throw tooLarge(path, size, maxBytes)
        return await readBytes(handle, 0, size)
      }),

    readRange: (path, offset, length) =>
      inside(path, async (folder, name) => {
        await using handle = await openFile(folder, name, path)
        return await readBytes(handle, offset, length)
      }),

    write: (path, content, { exclusive = false } = {}) => {
      const writeOnce = async () => {
        const parts = writablePartsOf(path)
        await using folder = await folderAt(parts.folder, true)
        const replace = (counted: Content) => replaceFile(folder, parts.name, path, counted, exclusive)
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

    mend,
    takeMended: () => mended.splice(0),
    isMended: () => mended.length > 0,

    exclusively: async (path, work) => exclusively(normalize(path), work),
  }
}

const tooLarge = (path: string, size: number, maxBytes: number): Failure =>
  new Failure(
    'too_large',
    `${shown(path)} has ${size} bytes; ${maxBytes} can be read at once.`,
    'Read a part of it with offset and limit, or search it with grep_files.',
  )
