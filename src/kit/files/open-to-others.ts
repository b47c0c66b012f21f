import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether any user of this machine can read it: by its own mode, and by those of all folders above it. */
export function isOpenToOthers(path: string): boolean {
  try {
    const real = realpathSync(path)
    return (statSync(real).mode & 0o004) !== 0 && canBeReached(dirname(real))
  } catch {
    return false
  }
}

const canBeReached = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || canBeReached(dirname(folder)))
