import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { holdFile } from '../../store/sqlite/hold-file.ts'
import { wiringWords } from '../words.ts'
import { stagingName } from './staging.ts'

/** In the folder. Whoever restores holds it. */
export const holdName = 'lock'

export interface Staging {
  path: string
  /** An earlier restore hasn't left it. */
  isNew: boolean
  /** Lets others have it, who find it as it is. */
  leave(): void
  remove(): Promise<void>
}

/** Only one process has it at a time. Throws `restore_running`. */
export async function takeStaging(dataDir: string): Promise<Staging> {
  const path = join(dataDir, stagingName)
  const isNew = (await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined
  const leave = holdFile(join(path, holdName))
  if (leave === undefined) {
    const remedy = wiringWords.restoreRunningRemedy()
    throw new Failure('restore_running', wiringWords.restoreRunning({ dataDir }), remedy)
  }
  const remove = async () => {
    await rm(path, { recursive: true, force: true })
    leave()
  }
  return { path, isNew, leave, remove }
}
