import type { Dirent } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { gunzipSync, constants as zlib } from 'node:zlib'
import { ownFolders } from '../../domain/own-folders.ts'
import { Failure } from '../../kit/failure.ts'
import { wiringWords } from '../words.ts'
import { aboutName } from './format.ts'
import { gone, readFlags, type Source, type Sources, sourcesIn } from './sources.ts'

/** Says where this process, or this copy of the data, was. */
const ofProcess = /^data\/(nodes|mcp\/running)(\/|$)/

/** Where a restore puts the archive's configuration and `.env`. */
export const restoredName = 'restored'

/**
 * The folders of the data directory. Next to them are the database, and indexes that can be rebuilt. If home and data
 * are one folder, the configuration is there too, but it isn't data. Nor are the backups that are kept there. The bot's
 * own folders may be links to another disk. Throws `link_broken`.
 */
export async function dataFolders(
  { dataDir, configDir }: { dataDir: string; configDir: string },
  backups: string,
): Promise<Sources> {
  const [ofBackups = ''] = relative(await realpath(dataDir), await realpath(backups)).split(sep)
  const isOwn = (name: string) => ownFolders.includes(name)
  const isOther = (name: string) =>
    name.startsWith('.') ||
    name === restoredName ||
    join(dataDir, name) === configDir ||
    (name === ofBackups && !isOwn(name))
  const found: Sources = { files: [], folders: [], leftOut: 0, unreadable: [] }
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const { name } = entry
    const folder = join(dataDir, name)
    if (isOther(name) || !(entry.isDirectory() || (await isLinkToFolder(entry, folder)))) continue
    if (!entry.isDirectory() && !isOwn(name)) {
      found.leftOut++
      continue
    }
    const { files, folders, leftOut, unreadable } = await sourcesIn(folder, `data/${name}`)
    const ofData = isOwn(name) ? files : await withoutBackups(files)
    found.files = found.files.concat(ofData.filter(({ path }) => !ofProcess.test(path)))
    found.folders = found.folders.concat(folders.filter((path) => !ofProcess.test(path)))
    found.leftOut += leftOut
    found.unreadable = found.unreadable.concat(unreadable)
  }
  return found
}

async function isLinkToFolder(entry: Dirent, folder: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false
  const there = await stat(folder).catch(gone)
  if (there === undefined && ownFolders.includes(entry.name))
    throw new Failure('link_broken', wiringWords.linkBroken({ link: folder }), wiringWords.linkBrokenRemedy())
  return there?.isDirectory() ?? false
}

async function withoutBackups(files: Source[]): Promise<Source[]> {
  const kept: Source[] = []
  for (const one of files) if (!(await isBackup(one.file))) kept.push(one)
  return kept
}

/** Whether a file begins like an archive of `bobbin backup`. */
async function isBackup(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, readFlags)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096))
    const start = gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: zlib.Z_SYNC_FLUSH })
    return start.toString('latin1').startsWith(`${aboutName}\0`)
  } catch {
    return false
  }
}
