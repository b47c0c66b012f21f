import { statfs } from 'node:fs/promises'
import { lookEveryMs } from './watch.ts'

/** A command leaves this much of the disk to the bot, or half of what is free when it begins, bytes. */
const keptBytes = 1_000_000_000

/** Watches a disk until it is ended. `over` is called at most once. */
export type WatchDisk = (over: () => void) => () => void

/**
 * For the disk of a workspace. A count of files doesn't show everything that a command writes: a file that it has
 * removed takes up space as long as it is open. Call this before the command begins.
 */
export async function watcherOfDisk(workspace: string): Promise<WatchDisk> {
  const least = Math.min(keptBytes, (await freeBytes(workspace)) / 2)
  return (over) => {
    let isEnded = false
    const look = async (): Promise<void> => {
      // What can't be told now is told next time.
      const free = await freeBytes(workspace).catch(() => least)
      if (isEnded) return
      if (free < least) over()
      else timer = later()
    }
    const later = () => setTimeout(() => void look(), lookEveryMs)
    let timer = later()
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
