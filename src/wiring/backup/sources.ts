import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

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
}

/** A file that has been deleted meanwhile is left out. */
const gone = (thrown: NodeJS.ErrnoException): undefined => {
  if (thrown.code !== 'ENOENT' && thrown.code !== 'ENOTDIR') throw thrown
  return undefined
}

/** The regular files in a directory, and in those below it. */
export async function sourcesIn(directory: string, path: string): Promise<Sources> {
  const found: Sources = { files: [], leftOut: 0 }
  const waiting = [{ directory, path }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const here = at
    const entries: Dirent[] = (await readdir(here.directory, { withFileTypes: true }).catch(gone)) ?? []
    for (const entry of entries) {
      const [file, inside] = [join(here.directory, entry.name), `${here.path}/${entry.name}`]
      if (entry.isDirectory()) waiting.push({ directory: file, path: inside })
      else if (entry.isFile() && !entry.name.includes('\\')) found.files.push(...(await sourceAt(file, inside)))
      else found.leftOut++
    }
  }
  return found
}

export async function sourceAt(file: string, path: string): Promise<Source[]> {
  const stat = await lstat(file).catch(gone)
  return stat?.isFile() ? [{ path, file, size: stat.size }] : []
}

/** Says where this process, or this copy of the data, was. */
const ofProcess = /^data\/(nodes|mcp\/running)(\/|$)/

/** Where a restore puts the archive's configuration and `.env`. */
export const restoredName = 'restored'

/**
 * The folders of the data directory. Next to them are the database, and indexes that can be rebuilt. If home and data
 * are one folder, the configuration is there too, but it isn't data.
 */
export async function dataFolders({ dataDir, configDir }: { dataDir: string; configDir: string }): Promise<Sources> {
  const entries = await readdir(dataDir, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const names = folders.map(({ name }) => name)
  const ofData = names.filter((name) => name !== restoredName && join(dataDir, name) !== configDir)
  const found = await Promise.all(ofData.map((name) => sourcesIn(join(dataDir, name), `data/${name}`)))
  return {
    files: found.flatMap(({ files }) => files).filter(({ path }) => !ofProcess.test(path)),
    leftOut: found.reduce((sum, { leftOut }) => sum + leftOut, 0),
  }
}
