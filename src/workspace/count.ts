import { lstat } from 'node:fs/promises'
import { handfulsBelow, orNothing } from '../kit/files/below.ts'
import { isTemporary } from './temporary.ts'

/** Bytes and files of a workspace: how many there are, or may be. */
export interface Amount {
  bytes: number
  files: number
}

export interface CountOptions {
  /**
   * Counting stops as soon as there is more. Folders, links and pipes count as files, because they take up disk space
   * too.
   */
  most?: Amount
  /** Leaves out files the bot is still writing. */
  finished?: boolean
}

/**
 * Counts what is below these folders; links aren't followed. Paths are bytes, because a name may not be UTF-8. `more`
 * says that counting stopped because there is more than `most`.
 */
export async function count(
  folders: string[],
  { most, finished = false }: CountOptions = {},
): Promise<Amount & { more: boolean }> {
  const amount = { bytes: 0, files: 0, more: false }
  let others = 0
  for (const folder of folders) {
    for await (const found of handfulsBelow(Buffer.from(folder))) {
      const files = found.filter(({ entry }) => entry.isFile())
      const counted = finished ? files.filter(({ entry }) => !isTemporary(entry.name.toString())) : files
      others += found.length - files.length
      amount.files += counted.length
      for (const bytes of await Promise.all(counted.map(({ path }) => sizeOf(path)))) amount.bytes += bytes
      if (most === undefined) continue
      amount.more = amount.bytes > most.bytes || amount.files + others > most.files
      if (amount.more) return amount
    }
  }
  return amount
}

const sizeOf = async (path: Buffer): Promise<number> => (await orNothing(() => lstat(path)))?.size ?? 0
