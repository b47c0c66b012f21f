import { isUtf8 } from 'node:buffer'
import { constants, type Dirent } from 'node:fs'
import { access, lstat, readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { unlock } from '../../kit/files/below.ts'

/** A file to be archived. */
export interface Source {
  /** In the archive. */
  path: string
  file: string
  size: number
}

export interface Sources {
  files: Source[]
  /** Links, sockets and the like, which no backup contains. */
  leftOut: number
  /** Folders that the bot may not read, and what has a path that no archive may have. */
  unreadable: string[]
}

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

/** The regular files in a directory, and in those below it. */
export async function sourcesIn(directory: string, path: string): Promise<Sources> {
  const found: Sources = { files: [], leftOut: 0, unreadable: [] }
  const waiting = [{ directory, path }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const here = at
    const entries = await entriesIn(here.directory)
    if (entries === undefined) found.unreadable.push(here.directory)
    for (const entry of entries ?? []) {
      const name = entry.name.toString()
      const [file, inside] = [join(here.directory, name), `${here.path}/${name}`]
      if (!isUtf8(entry.name) || !fitsArchive(inside)) found.unreadable.push(file)
      else if (entry.isDirectory() && !name.startsWith(scratchName)) waiting.push({ directory: file, path: inside })
      else if (entry.isFile()) found.files.push(...(await sourceAt(file, inside)))
      else if (!entry.isDirectory()) found.leftOut++
    }
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

/** Says where this process, or this copy of the data, was. */
const ofProcess = /^data\/(nodes|mcp\/running)(\/|$)/

/** Where a restore puts the archive's configuration and `.env`. */
export const restoredName = 'restored'

/** What the bot keeps in the data directory. */
const ownFolders = ['incoming', 'mcp', 'nodes', 'skills', 'workspace']

/**
 * The folders of the data directory. Next to them are the database, and indexes that can be rebuilt. If home and data
 * are one folder, the configuration is there too, but it isn't data. Nor are the backups that are kept there.
 */
export async function dataFolders(
  { dataDir, configDir }: { dataDir: string; configDir: string },
  backups: string,
): Promise<Sources> {
  const [ofBackups = ''] = relative(await realpath(dataDir), await realpath(backups)).split(sep)
  const entries = await readdir(dataDir, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const names = folders.map(({ name }) => name)
  const isOther = (name: string) =>
    name === restoredName || join(dataDir, name) === configDir || (name === ofBackups && !ownFolders.includes(name))
  const ofData = names.filter((name) => !isOther(name))
  const found = await Promise.all(ofData.map((name) => sourcesIn(join(dataDir, name), `data/${name}`)))
  return {
    files: found.flatMap(({ files }) => files).filter(({ path }) => !ofProcess.test(path)),
    leftOut: found.reduce((sum, { leftOut }) => sum + leftOut, 0),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  }
}
