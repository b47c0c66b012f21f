import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { handfulsBelow, orNothing } from '../kit/files/below.ts'
import { isTemporary } from './temporary.ts'

/** Bytes and files of a workspace: how many there are, or may be. */
export interface Amount {
  bytes: number
  files: number
}

export interface Counted extends Amount {
  /** Folders, links and pipes. */
  others: number
  /** Counting stopped because there is more than `most`. */
  more: boolean
}

export interface CountOptions {
  /** Counting stops as soon as there is more. Others take up disk space too: as many of them as files, unless said. */
  most?: Amount & { others?: number }
  /** Leaves out files the bot is still writing. */
  finished?: boolean
}

/**
 * A file may have more space on the disk than its size says. File systems give it this much by themselves, and while it
 * grows up to twice as much again (XFS, xfs_iomap_prealloc_size); what is beyond was reserved on purpose. In bytes.
 */
const usualSpare = 65_536

/** These folders of a workspace. One that a link has replaced isn't among them, as it would be followed. */
export async function foldersIn(root: string, names: string[]): Promise<string[]> {
  const stats = await Promise.all(names.map((name) => orNothing(() => lstat(join(root, name)))))
  return names.filter((_, at) => stats[at]?.isDirectory()).map((name) => join(root, name))
}

/** Counts what is below these folders; links aren't followed. Paths are bytes, because a name may not be UTF-8. */
export async function count(folders: string[], { most, finished = false }: CountOptions = {}): Promise<Counted> {
  const amount = { bytes: 0, files: 0, others: 0, more: false }
  for (const folder of folders) {
    for await (const found of handfulsBelow(Buffer.from(folder))) {
      const all = found.filter(({ entry }) => entry.isFile())
      const counted = finished ? all.filter(({ entry }) => !isTemporary(entry.name.toString())) : all
      amount.others += found.length - all.length
      amount.files += counted.length
      for (const bytes of await Promise.all(counted.map(({ path }) => sizeOf(path)))) amount.bytes += bytes
      if (most === undefined) continue
      const { bytes, files, others } = amount
      amount.more = bytes > most.bytes || files > most.files || others > (most.others ?? most.files)
      if (amount.more) return amount
    }
  }
  return amount
}

async function sizeOf(path: Buffer): Promise<number> {
  const { size = 0, blocks = 0 } = (await orNothing(() => lstat(path))) ?? {}
  const allotted = blocks * 512
  return allotted > size * 3 + usualSpare ? allotted : size
}
