import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { wiringWords } from '../words.ts'

/**
 * The folder in the data directory that a restore fills. As long as it is there, the restore isn't finished, unless the
 * database is in its place: that comes last.
 */
export const stagingName = '.restoring'

/**
 * A bot that starts here would make a new database, without what is being restored. Throws `restore_unfinished`. What a
 * restore that was killed at its end has left is removed.
 */
export function refuseHalfRestored(dataDir: string): void {
  const staging = join(dataDir, stagingName)
  if (!existsSync(staging)) return
  if (!existsSync(join(dataDir, 'bobbin.db'))) {
    const remedy = wiringWords.restoreUnfinishedRemedy()
    throw new Failure('restore_unfinished', wiringWords.restoreUnfinished({ dataDir }), remedy)
  }
  rmSync(staging, { recursive: true, force: true })
}
