import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
/** All tests together take a tenth of it. Containers often have 64 MB there. */
const enoughBytes = 2 * 1024 ** 3

/** Where tests keep their data: in memory where there is room, since a disk lets every commit wait for some milliseconds. */
export function scratchDisk(): string {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
