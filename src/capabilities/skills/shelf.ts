import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { filesInFolder, hashOfFiles, type SkillFiles } from '../../kit/skills/contents.ts'

/** Keeps the files of teams' skills, each content once and for good, so that going back is always possible. */
export interface Shelf {
  /** Returns the hash under which they can be read. */
  put(files: SkillFiles): Promise<string>
  read(hash: string): Promise<SkillFiles>
}

/** Limits count when a skill is installed. What is stored stays readable, whatever they are today. */
const limits = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }

export function openShelf(directory: string): Shelf {
  const folderOf = (hash: string): string => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${hash} is not a hash`)
    return join(directory, hash)
  }
  return {
    async put(files) {
      const hash = hashOfFiles(files)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const temporary = await mkdtemp(join(directory, '.new-'))
      try {
        for (const [path, bytes] of files) {
          await mkdir(join(temporary, dirname(path)), { recursive: true })
          await writeFile(join(temporary, path), bytes, { flag: 'wx', flush: true })
        }
        await rename(temporary, folderOf(hash)).catch((thrown: NodeJS.ErrnoException) => {
          // Somebody else has put the same content there.
          if (!['ENOTEMPTY', 'EEXIST'].includes(thrown.code ?? '')) throw thrown
        })
      } finally {
        await rm(temporary, { recursive: true, force: true })
      }
      return hash
    },
    read: (hash) => filesInFolder(folderOf(hash), limits),
  }
}
