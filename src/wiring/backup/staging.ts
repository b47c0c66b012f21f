import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kit/failure.ts'

/** The folder in the data directory that a restore fills. As long as it is there, the restore isn't finished. */
export const stagingName = '.restoring'

/** A bot that starts here would make a new database, without what is being restored. Throws `restore_unfinished`. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, stagingName))) return
  const remedy = 'Run the same `bobbin restore` again, or empty the directory to start without it.'
  throw new Failure('restore_unfinished', `A restore into ${dataDir} isn’t finished.`, remedy)
}
