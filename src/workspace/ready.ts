import { mkdir, readdir, realpath } from 'node:fs/promises'
import { about } from './failures.ts'
import { descend, type Folder, openRoot } from './folder.ts'
import { mendFolders } from './mend.ts'
import { readCleaned } from './metadata.ts'
import { folders, writableFolders } from './paths.ts'
import { sweepRemoved } from './remove.ts'
import { sweepBelow } from './temporary.ts'

/** Opens a folder of a workspace, by the names that lead to it. */
export type FolderAt = (parts: string[], make?: boolean) => Promise<Folder>

/** A workspace's directory with all its folders. */
export interface ReadyDirectory {
  root: string
  folderAt: FolderAt
  /** Creates missing folders, and replaces what stands in their place. */
  mend(): Promise<void>
  /** What was repaired since the last call, in sentences for people and the model. */
  takeMended(): string[]
  /** Whether something was repaired that hasn't been told yet. */
  isMended(): boolean
}

export interface ReadyOptions {
  /** False uses the weaker jail for systems without /proc; see folder.ts. */
  descriptors: boolean
  depth: number
  /** What a crash left can't be removed. It isn't in the way, so it stays. */
  report(thrown: unknown): void
}

/** Creates what is missing in a directory, and removes what a crash left in it. */
export async function makeReady(
  directory: string,
  { descriptors, depth, report }: ReadyOptions,
): Promise<ReadyDirectory> {
  const isNew = (await mkdir(directory, { recursive: true })) !== undefined
  const root = await realpath(directory)
  const mended: string[] = []
  let isOpen = false
  const mend = async (): Promise<void> => {
    const isGone = (await mkdir(root, { recursive: true })) !== undefined
    const isEmpty = (await readdir(root)).every((name) => !folders.includes(name))
    // Another process may have removed one that is open here, but so may a command have removed all its folders.
    const isRemoved = isEmpty && (!isOpen || isGone || (await readCleaned(root)) !== undefined)
    await using top = await openRoot(root, descriptors)
    const done = await about('.', () => mendFolders(top))
    // A removal is reported in its own words.
    if (!isRemoved) mended.push(...done)
    isOpen = true
  }

  if (!isNew) await sweepRemoved(root).catch(report)
  await mend()
  if (!isNew) {
    await using top = await openRoot(root, descriptors)
    for (const name of writableFolders) await sweepBelow(top, name, depth)
  }
  return {
    root,
    folderAt: async (parts, make = false) => descend(await openRoot(root, descriptors), parts, { make }),
    mend,
    takeMended: () => mended.splice(0),
    isMended: () => mended.length > 0,
  }
}
