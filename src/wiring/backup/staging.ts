import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { wiringWords } from '../words.ts'

/** The folder in the data directory that a restore fills. As long as it is there, the restore isn't finished. */
export const stagingName = '.restoring'

/** A bot that starts here would make a new database, without what is being restored. Throws `restore_unfinished`. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, stagingName))) return
  const remedy = wiringWords.restoreUnfinishedRemedy()
  throw new Failure('restore_unfinished', wiringWords.restoreUnfinished({ dataDir }), remedy)
}
