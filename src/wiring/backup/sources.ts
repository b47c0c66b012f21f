import { isUtf8 } from 'node:buffer'
import { constants, type Dirent } from 'node:fs'
import { access, lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { unlock } from '../../kit/files/below.ts'

/** A file to be archived. */
export interface Source {
  /** In the archive. */
  path: string
  file: string
  size: number
  /** A link to the file, or a copy that may be only its beginning, for when it is gone. */
  early?: string | undefined
}

export interface Sources {
  files: Source[]
  /** Of folders without anything to be archived: their paths in the archive. */
  folders: string[]
  /** Links, sockets and the like, which no backup contains. */
  leftOut: number
  /** Folders that the bot may not read, and what has a path that no archive may have. */
  unreadable: string[]
}

export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW

/** In bytes. The kernel takes no path over 4,096, and a restore puts its own folder in front. */
const longestPath = 3_500

/** Elsewhere, a backslash may stand between folders. */
const fitsArchive = (path: string): boolean => !path.includes('\\') && Buffer.byteLength(path) <= longestPath

/** What a backup writes until it is complete is in a folder whose name begins like this. */
export const scratchName = '.bobbin-backup-'

/** A file that has been deleted meanwhile, or is a link by now, is left out. */
export const gone = (thrown: NodeJS.ErrnoException): undefined => {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(thrown.code ?? '')) throw thrown
  return undefined
}

/** A permission is missing. Other faults, such as those of a disk, may concern everything, so they end a backup. */
export const isRefused = (thrown: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((thrown as NodeJS.ErrnoException).code ?? '')

/**
 * The regular files in a directory, and in those below it. `follows`: also those that are elsewhere by links, which may
 * not be followed where a program could make them.
 */
export async function sourcesIn(directory: string, path: string, follows = false): Promise<Sources> {
  const found: Sources = { files: [], folders: [], leftOut: 0, unreadable: [] }
  const waiting = [{ directory, path }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const here = at
    const entries = await entriesIn(here.directory)
    const before = found.files.length + waiting.length
    if (entries === undefined) found.unreadable.push(here.directory)
    for (const entry of entries ?? []) {
      const name = entry.name.toString()
      const [file, inside] = [join(here.directory, name), `${here.path}/${name}`]
      if (!isUtf8(entry.name) || !fitsArchive(inside)) found.unreadable.push(file)
      else if (entry.isDirectory() && !name.startsWith(scratchName)) waiting.push({ directory: file, path: inside })
      else if (entry.isFile()) found.files.push(...(await sourceAt(file, inside)))
      else if (!entry.isDirectory()) {
        const there = follows && entry.isSymbolicLink() ? await linkedAt(file, inside) : []
        found.files.push(...there)
        found.leftOut += 1 - there.length
      }
    }
    if (entries !== undefined && found.files.length + waiting.length === before) found.folders.push(here.path)
  }
  return found
}

/** A command may remove permissions from a folder of its workspace. Undefined: the bot can't give them back. */
async function entriesIn(directory: string): Promise<Dirent<Buffer>[] | undefined> {
  const list = async () => {
    await access(directory, constants.R_OK | constants.X_OK)
    return readdir(directory, { withFileTypes: true, encoding: 'buffer' })
  }
  try {
    return await list().catch(async (thrown) => {
      if (!isRefused(thrown)) throw thrown
      await unlock(Buffer.from(directory))
      return list()
    })
  } catch (thrown) {
    return isRefused(thrown) ? undefined : (gone(thrown as NodeJS.ErrnoException) ?? [])
  }
}

export async function sourceAt(file: string, path: string): Promise<Source[]> {
  const stat = await lstat(file).catch(gone)
  return stat?.isFile() ? [{ path, file, size: stat.size }] : []
}

/** Where what is there may be a link. */
export async function linkedAt(file: string, path: string): Promise<Source[]> {
  const real = await realpath(file).catch(gone)
  return real === undefined ? [] : sourceAt(real, path)
}
