import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ofOthers = 0o007
const ofGroup = 0o070
/** What is created in such a folder belongs to its group. */
const setgid = 0o2000

/**
 * Makes private what this process creates from here on in a data directory, whoever made that. Returns what undoes it.
 */
export function keepPrivate(directory: string): () => void {
  close(directory)
  const before = process.umask()
  process.umask(before | ofOthers | (isShared(directory) ? 0 : ofGroup))
  return () => void process.umask(before)
}

/** Git makes the `data/` of a clone as it makes every folder. Nobody has chosen its mode. */
function close(directory: string): void {
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found === undefined || found.uid !== process.getuid?.() || (found.mode & ofOthers) === 0) return
  if (!existsSync(join(directory, '.gitkeep'))) return
  try {
    chmodSync(directory, found.mode & 0o700)
  } catch {
    // Some disks have no modes.
  }
}

/** Only on purpose is access given to a group and nobody else, or made to last. */
function isShared(directory: string): boolean {
  const { mode = 0 } = statSync(directory, { throwIfNoEntry: false }) ?? {}
  return (mode & ofGroup) !== 0 && ((mode & ofOthers) === 0 || (mode & setgid) !== 0)
}
