import { statfs } from 'node:fs/promises'
import { lookEveryMs } from './watch.ts'

/** A command leaves this much of the disk to the bot, or half of what is free when it begins, bytes. */
const keptBytes = 1_000_000_000
/** A program that stays leaves a quarter of that: when a command fills the disk, the command ends first. */
const stayingShare = 1 / 4

/** While there is room, looks are rarer. Even at 10 GB/s, the next one comes before it is used up. */
export const nextLookMs = (roomBytes: number): number => Math.min(1_000, lookEveryMs + roomBytes / 1e7)

/** Watches a disk until it is ended. `over` is called at most once. */
export type WatchDisk = (over: () => void) => () => void

/**
 * For the disk of a workspace. A count of files doesn't show everything that a command writes: a file that it has
 * removed takes up space as long as it is open. Call this before the command begins.
 */
export async function watcherOfDisk(workspace: string, { stays }: { stays: boolean }): Promise<WatchDisk> {
  const least = Math.min(keptBytes, (await freeBytes(workspace)) / 2) * (stays ? stayingShare : 1)
  return (over) => {
    let isEnded = false
    let timer: NodeJS.Timeout | undefined
    const look = async (): Promise<void> => {
      // What can't be told now is told next time.
      const free = await freeBytes(workspace).catch(() => least)
      if (isEnded) return
      if (free < least) over()
      else timer = setTimeout(() => void look(), nextLookMs(free - least))
    }
    void look()
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
