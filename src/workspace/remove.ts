import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from './failures.ts'

/** Bytes of the files below a directory, links not followed; 0 when it is not there. */
export async function bytesIn(directory: string): Promise<number> {
  try {
    const entries = await readdir(directory, { withFileTypes: true, recursive: true })
    const sizes = entries.map(async (entry) => {
      if (!entry.isFile()) return 0
      // It may vanish meanwhile.
      return (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
    })
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return 0
    throw thrown
  }
}

/** Whatever stands in the way of the name is moved, not followed. */
export async function emptyFolder(root: string, folder: string): Promise<void> {
  const aside = await moveAside(join(root, folder))
  await mkdir(join(root, folder), { recursive: true })
  if (aside !== undefined) await rm(aside, { recursive: true, force: true })
}

/**
 * Removes a workspace with its bytes as the answer. It is moved aside first, and moved back when somebody has begun to need it
 * meanwhile: `still` false. Undefined when it stays or was not there.
 */
export async function removeWorkspace(root: string, still: () => Promise<boolean>): Promise<number | undefined> {
  const aside = await moveAside(root)
  if (aside === undefined) return undefined
  if (!(await still())) {
    await rename(aside, root)
    return undefined
  }
  const bytes = await bytesIn(aside)
  await rm(aside, { recursive: true, force: true })
  return bytes
}

/** Undefined when nothing is there. */
async function moveAside(path: string): Promise<string | undefined> {
  const aside = join(dirname(path), `.removed-${basename(path)}-${randomBytes(6).toString('hex')}`)
  try {
    await rename(path, aside)
    return aside
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}
