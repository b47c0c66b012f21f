import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from './failures.ts'
import { lstatOrNothing } from './file.ts'
import { metadataName } from './metadata.ts'
import { type Amount, measure } from './usage.ts'

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
 * Removes a workspace, with what was in it as the answer. It is moved aside first, and moved back when somebody has begun to
 * need it meanwhile: `still` false. `mark` leaves in its place what is to be known of it. Nobody may open it before this
 * resolves. Undefined when it stays, or when there is nothing to remove.
 */
export async function removeWorkspace(
  root: string,
  still: () => Promise<boolean>,
  mark: (removed: Amount) => Promise<void>,
): Promise<Amount | undefined> {
  if (!(await holdsMore(root)) || !(await still())) return undefined
  const aside = await moveAside(root)
  if (aside === undefined) return undefined
  let removed: Amount | undefined
  try {
    if (await still()) removed = await measure(aside)
  } finally {
    if (removed === undefined) await rename(aside, root)
  }
  if (removed === undefined) return undefined
  await mark(removed)
  await rm(aside, { recursive: true, force: true })
  return removed
}

/** More than the mark of an earlier removal. */
async function holdsMore(root: string): Promise<boolean> {
  const names = await readdir(root).catch((thrown) => {
    if (errnoOf(thrown) === 'ENOENT') return []
    throw thrown
  })
  return names.some((name) => name !== metadataName)
}

/** `.removed-<name>-<twelve digits>` */
const leftOver = /^\.removed-(.+)-[0-9a-f]{12}$/

/**
 * After a crash in the middle of a removal, directly in `directory`: what was being removed goes for good; what was only
 * moved aside, with nothing in its place yet, goes back. Only while no removal runs.
 */
export async function sweepRemoved(directory: string): Promise<void> {
  const names = await readdir(directory).catch((thrown) => {
    if (errnoOf(thrown) === 'ENOENT') return []
    throw thrown
  })
  for (const name of names) {
    const [, was] = leftOver.exec(name) ?? []
    if (was === undefined) continue
    const place = join(directory, was)
    if ((await lstatOrNothing(place)) === undefined) await rename(join(directory, name), place)
    else await rm(join(directory, name), { recursive: true, force: true })
  }
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
