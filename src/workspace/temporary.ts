import { createHash, randomBytes } from 'node:crypto'
import { lstat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { errnoOf } from '../kit/errno.ts'
import { isAlive } from '../kit/process.ts'
import type { Folder } from './folder.ts'

/** The name says which process on which machine is writing, so that only leftovers are removed. */
const pattern = /^\.bobbin-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.tmp$/
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** After this time a file of another machine counts as a leftover, ms. */
const strangerMs = 3_600_000

export const temporaryName = (): string => `.bobbin-${host}-${process.pid}-${randomBytes(8).toString('hex')}.tmp`

export const isTemporary = (name: string): boolean => pattern.test(name)

/** Whether the process that was writing this file is gone. */
export function isAbandoned(name: string, modifiedAt: number, now: number): boolean {
  const [, maker, pid] = pattern.exec(name) ?? []
  if (now - modifiedAt > strangerMs) return true
  if (maker !== host) return false
  // In a container, a restarted bot has the same id again, but anything older than this process isn't its own.
  if (Number(pid) === process.pid) return modifiedAt < now - process.uptime() * 1000
  return !isAlive(Number(pid))
}

async function sweep(folder: Folder, depth: number): Promise<number> {
  let removed = 0
  for (const entry of await folder.entries()) {
    if (entry.isDirectory() && depth > 0) removed += await sweepBelow(folder, entry.name, depth - 1)
    if (isTemporary(entry.name) && (await remove(folder.at(entry.name), entry.name))) removed++
  }
  return removed
}

/** Removes what killed writers left in the folder `name` and below. Returns how many files. */
export async function sweepBelow(folder: Folder, name: string, depth: number): Promise<number> {
  try {
    await using below = await folder.enter(name)
    return await sweep(below, depth)
  } catch (thrown) {
    // A folder that vanished, is a link, or can't be opened keeps its leftovers; they are hidden anyway.
    if (errnoOf(thrown) !== undefined) return 0
    throw thrown
  }
}

async function remove(path: string, name: string): Promise<boolean> {
  try {
    if (!isAbandoned(name, (await lstat(path)).mtimeMs, Date.now())) return false
    await unlink(path)
    return true
  } catch (thrown) {
    // Another process that opened the same workspace was faster, or a command made a folder with this name.
    if (errnoOf(thrown) !== undefined) return false
    throw thrown
  }
}
