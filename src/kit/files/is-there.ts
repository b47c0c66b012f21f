import { lstatSync } from 'node:fs'

/** Whether something has this name, or may have it: a link to nothing does, and a folder may be closed to us. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (thrown) {
    return !['ENOENT', 'ENOTDIR'].includes(String((thrown as NodeJS.ErrnoException).code))
  }
}
