import type { Workspace } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import { about, refusedLink, shown } from './failures.ts'
import { lstatOrNothing, openFile, readBytes } from './file.ts'
import type { Folder } from './folder.ts'
import { entryOf } from './listing.ts'
import { pathNames } from './paths.ts'
import type { FolderAt } from './ready.ts'
import { spelledIn } from './spelled.ts'
import { workspaceWords as words } from './words.ts'

/** The methods that read single files. `mostBytes`: the largest file that is read whole by default. */
export function readsIn(folderAt: FolderAt, mostBytes: number): Pick<Workspace, 'stat' | 'read' | 'readRange'> {
  /** Opens the folder that contains a path, and passes it on with the last name. */
  const inside = <T>(path: string, work: (folder: Folder, name: string, spelled: string) => Promise<T>): Promise<T> =>
    about(path, async () => {
      const parts = pathNames(path)
      await using folder = await folderAt(parts.slice(0, -1))
      return await work(folder, await spelledIn(folder, parts.at(-1) ?? '.'), parts.join('/') || '.')
    })

  return {
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

    read: (path, maxBytes = mostBytes) =>
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
  }
}

const tooLarge = (path: string, size: number, maxBytes: number): Failure =>
  new Failure(
    'too_large',
    words.tooLargeToRead({ path: shown(path), bytes: size, allowed: maxBytes }),
    words.tooLargeToReadRemedy(),
  )
