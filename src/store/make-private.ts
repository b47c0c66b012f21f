import { mkdirSync } from 'node:fs'
import { Failure, reasonOf } from '../kit/failure.ts'

/** Other users of this machine must not read what the team says. */
export function makePrivate(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    const fact = `The data directory ${directory} can’t be created: ${reasonOf(thrown)}.`
    throw new Failure('bad_data_dir', fact, 'Set BOBBIN_DATA_DIR to a writable directory.', {
      cause: thrown,
    })
  }
}
