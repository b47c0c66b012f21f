import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, reasonOf } from '../kit/failure.ts'
import { storeWords } from './words.ts'

/** Other users of this machine must not read what the team says. Throws `bad_data_dir`. */
export function makePrivate(directory: string): void {
  try {
    make(directory)
  } catch (thrown) {
    const fact = storeWords.dataDirNotCreated({ directory, reason: reasonOf(thrown) })
    throw new Failure('bad_data_dir', fact, storeWords.dataDirRemedy(), {
      cause: thrown,
    })
  }
  if (!statSync(directory).isDirectory())
    throw new Failure('bad_data_dir', storeWords.dataDirIsFile({ directory }), storeWords.dataDirRemedy())
}

/** Folder by folder: where nothing can be made, as in /proc, Node's `recursive` never ends (24.21). */
function make(directory: string): void {
  if (existsSync(directory)) return
  if (dirname(directory) !== directory) make(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (!existsSync(directory)) throw thrown
  }
}
