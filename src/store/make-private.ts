import { mkdirSync } from 'node:fs'
import { Failure, reasonOf } from '../kit/failure.ts'

/** What the team says is nobody else's on this machine. */
export function makePrivate(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    const fact = `The data directory ${directory} cannot be made: ${reasonOf(thrown)}.`
    throw new Failure('bad_data_dir', fact, 'Set BOBBIN_DATA_DIR to a directory that can be written.', {
      cause: thrown,
    })
  }
}
