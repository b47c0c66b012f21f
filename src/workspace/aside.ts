import { randomBytes } from 'node:crypto'
import { readdir, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from '../kit/errno.ts'
import { Failure } from '../kit/failure.ts'
import { orNothing } from '../kit/files/below.ts'
import { removeTree } from '../kit/files/remove-tree.ts'
import { count, foldersIn } from './count.ts'
import { metadataName } from './metadata.ts'
import { folders } from './paths.ts'
import { workspaceWords as words } from './words.ts'

/** Renames it to `.<why>-<name>-<twelve digits>`. Undefined when nothing is there. */
export async function moveAside(path: string, why = 'removed'): Promise<string | undefined> {
  const aside = join(dirname(path), `.${why}-${basename(path)}-${randomBytes(6).toString('hex')}`)
  try {
    await rename(path, aside)
    return aside
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

/** If somebody has put something into the place since, what was in it is kept beside it, and the error says where. */
export async function moveBack(aside: string, root: string): Promise<void> {
  // What stays is in the way, as somebody's files are.
  await removeEmpty(root).catch(() => {})
  // In one step: what a crash left beside an empty directory would be removed.
  const record = (await holdsMore(root)) ? undefined : await moveAside(root, 'deleted')
  try {
    await rename(aside, root)
  } catch (thrown) {
    // Another process has taken it for what a crash left, and has moved it back, or is removing it.
    if (errnoOf(thrown) === 'ENOENT') {
      if (record !== undefined) await rename(record, root).catch(unlessTaken)
      return
    }
    unlessTaken(thrown)
    const kept = join(dirname(aside), basename(aside).replace('removed', 'kept'))
    await rename(aside, kept)
    throw new Failure('workspace_kept', words.keptAside({ path: kept }), words.keptAsideRemedy(), { cause: thrown })
  } finally {
    if (record !== undefined) await removeTree(record)
  }
}

/** Whoever has only opened a workspace has made its folders. */
async function removeEmpty(root: string): Promise<void> {
  const made = await foldersIn(root, folders)
  const { files, others } = await count(made)
  if (files + others > 0) return
  for (const folder of made) await rmdir(folder)
}

/** More than the record of an earlier removal. */
export async function holdsMore(root: string): Promise<boolean> {
  const names = (await orNothing(() => readdir(root))) ?? []
  return names.some((name) => name !== metadataName)
}

function unlessTaken(thrown: unknown): void {
  if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(thrown) ?? '')) throw thrown
}
