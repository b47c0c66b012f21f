import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
/** All tests together use a tenth of this. Containers often have only 64 MB there. */
const enoughBytes = 2 * 1024 ** 3

/** Where tests keep their data: in memory if there is room, because on a disk every commit takes some milliseconds. */
export function scratchDisk(): string {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK)
    // Docker mounts it so that no program there runs.
    if (/^\S+ \/dev\/shm \S+ (\S+,)?noexec\b/m.test(readFileSync('/proc/self/mounts', 'utf8'))) return tmpdir()
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
