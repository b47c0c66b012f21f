import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesBelow, longestPath, orNothing, unlock } from './below.ts'

/**
 * Removes a folder that programs could write to, or a file. A folder may be locked, or deeper than any path reaches.
 * Then it is opened, moved up, and removed with the rest.
 */
export async function removeTree(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true })
  await remove().catch(async () => {
    await bringUp(path)
    await remove()
  })
}

async function bringUp(top: string): Promise<void> {
  for (let isDeep = true; isDeep; ) {
    isDeep = false
    await orNothing(() => unlock(Buffer.from(top)))
    // A folder that was moved is searched in the next round, under its short name.
    for await (const { path, entry } of entriesBelow(Buffer.from(top))) {
      if (!entry.isDirectory()) continue
      await orNothing(() => unlock(path))
      if (path.length <= longestPath) continue
      await rename(path, join(top, randomBytes(8).toString('hex')))
      isDeep = true
    }
  }
}
