import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { restoredName } from './data-folders.ts'

/** A new disk or volume has the first two, and home the others if the data is there too. A restore touches none. */
export const ofOthers = ['.gitkeep', 'lost+found', 'config', '.env']

/** In the staging folder: an empty folder for each name that may have gone from it to the data directory. */
const movedName = 'moved'

/** The database comes last. */
export async function putInPlace(staging: string, dataDir: string): Promise<void> {
  const from = join(staging, 'data')
  // Older archives have settings among the data. There, they would be in force at once if the data is at home.
  for (const name of [...ofOthers, restoredName]) await rm(join(from, name), { recursive: true, force: true })
  const settings = join(from, restoredName)
  await mkdir(settings, { mode: 0o700 })
  for (const name of ['config', 'env'])
    if (existsSync(join(staging, name))) await rename(join(staging, name), join(settings, name))
  const names = await readdir(from)
  for (const name of names.toSorted((one) => (one === 'bobbin.db' ? 1 : -1))) {
    await mkdir(join(staging, movedName, name), { recursive: true })
    await rename(join(from, name), join(dataDir, name))
  }
}

/** What `putInPlace` has moved. Anything else of the same name is somebody else's. */
export async function movedFrom(staging: string): Promise<string[]> {
  const moved = join(staging, movedName)
  const names = existsSync(moved) ? await readdir(moved) : []
  return names.filter((name) => !existsSync(join(staging, 'data', name)))
}

export const forgetMoved = (staging: string): Promise<void> =>
  rm(join(staging, movedName), { recursive: true, force: true })
