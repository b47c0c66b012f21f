import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { wiringWords } from '../words.ts'

/**
 * The folder in the data directory that a restore fills. As long as it is there, the restore isn't finished, unless the
 * database has gone from it to its place: that comes last.
 */
export const stagingName = '.restoring'

/** Whether what was restored is in its place. Another database there may be that of somebody else. */
export const isRestored = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'bobbin.db')) && !existsSync(join(dataDir, stagingName, 'data/bobbin.db'))

/**
 * `restore_unfinished`: a bot that starts here would make a new database, without what is being restored, and so would
 * a command.
 */
export function halfRestored(dataDir: string): Failure | undefined {
  if (!existsSync(join(dataDir, stagingName)) || isRestored(dataDir)) return undefined
  const remedy = wiringWords.restoreUnfinishedRemedy()
  return new Failure('restore_unfinished', wiringWords.restoreUnfinished({ dataDir }), remedy)
}

/** Throws `restore_unfinished`. What a restore that was killed at its end has left is removed. */
export function refuseHalfRestored(dataDir: string): void {
  const unfinished = halfRestored(dataDir)
  if (unfinished !== undefined) throw unfinished
  const staging = join(dataDir, stagingName)
  // Where nothing may be read, what opens the database says so.
  if (existsSync(staging)) rmSync(staging, { recursive: true, force: true })
}
