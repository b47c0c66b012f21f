import { constants } from 'node:fs'
import { lstat, mkdir, open, readFile, rename } from 'node:fs/promises'
import { posix } from 'node:path'
import { errnoOf } from '../kit/errno.ts'
import { removeTree } from '../kit/files/remove-tree.ts'
import { about } from './failures.ts'
import { pathNames } from './paths.ts'
import type { FolderAt } from './ready.ts'
import { temporaryName } from './temporary.ts'

/** Files of a folder, by their path within it. */
export type PlacedFiles = ReadonlyMap<string, Uint8Array>

/** Hidden, so that nobody sees it among the files. */
const markName = '.bobbin'

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Puts a folder into skills/, where no tool and no command can write, instead of whatever has its name there. `mark`
 * says which content it is: the same one is left in place. Every file is a copy, so nothing that happens here changes
 * the original. Returns whether anything changed.
 */
export async function placeFolder(
  folderAt: FolderAt,
  name: string,
  mark: string,
  files: () => Promise<PlacedFiles>,
  replacing: (work: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  return about(`skills/${name}`, async () => {
    const [only, ...more] = pathNames(name)
    if (only === undefined || more.length > 0) throw new Error(`${name} is not one name`)
    await using skills = await folderAt(['skills'])
    if ((await markOf(skills.at(only))) === mark) return false
    const temporary = temporaryName()
    try {
      await mkdir(skills.at(temporary))
      await fill(folderAt, ['skills', temporary], await files(), mark)
      await skills.confirm()
      await replacing(async () => {
        await removeTree(skills.at(only))
        await rename(skills.at(temporary), skills.at(only))
      })
      return true
    } catch (thrown) {
      await removeTree(skills.at(temporary))
      throw thrown
    }
  })
}

/** Undefined if there is none, or something else in its place. */
async function markOf(folder: string): Promise<string | undefined> {
  try {
    if (!(await lstat(folder)).isDirectory()) return undefined
    const path = posix.join(folder, markName)
    return (await lstat(path)).isFile() ? await readFile(path, 'utf8') : undefined
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return undefined
    throw thrown
  }
}

async function fill(folderAt: FolderAt, below: string[], files: PlacedFiles, mark: string): Promise<void> {
  for (const [path, bytes] of [...files, [markName, Buffer.from(mark)] as const]) {
    const parts = path.split('/')
    await using folder = await folderAt([...below, ...parts.slice(0, -1)], true)
    const handle = await open(folder.at(parts.at(-1) ?? ''), createFlags, 0o644)
    try {
      await handle.writeFile(bytes)
    } finally {
      await handle.close()
    }
  }
}
