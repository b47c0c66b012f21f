import { statfsSync } from 'node:fs'
import { textOf } from './processes.ts'

/** What a socket can hold, with the buffers that Linux gives it (net.core.wmem_default, with room for its own data). */
const socketBytes = 256 * 1024
/** What an empty file of a folder in memory takes. */
const fileBytes = 1024
/** Folders in memory whose size is limited, but not the number of their files. */
const folders = ['tmp', 'dev/shm', 'home/bobbin']

/**
 * Memory that the kernel holds for the sandbox whose first process is given, and that belongs to none of its processes:
 * at most what its sockets can hold, and what its empty files take.
 */
export function heldBytes(first: number): number {
  const sockets = /^sockets: used (\d+)/.exec(textOf(`/proc/${first}/net/sockstat`) ?? '')?.[1]
  const files = folders.map((folder) => filesIn(`/proc/${first}/root/${folder}`))
  return Number(sockets ?? 0) * socketBytes + files.reduce((sum, one) => sum + one, 0) * fileBytes
}

function filesIn(folder: string): number {
  try {
    const { files, ffree } = statfsSync(folder)
    return files - ffree
  } catch {
    // It is gone, or nobody may look.
    return 0
  }
}
