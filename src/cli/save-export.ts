import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure, reasonOf, Unavailable } from '../kit/failure.ts'
import { cliWords } from './words.ts'

/** Writes a thread to a new file. Throws `not_written`, why the thread couldn't be read, or why it was stopped. */
export async function saveExport(content: Readable, file: string, signal: AbortSignal): Promise<void> {
  const opened = await open(file, 'wx', 0o600).catch((thrown) => {
    throw notWritten(file, thrown)
  })
  try {
    await pipeline(content, opened.createWriteStream(), { signal })
  } catch (thrown) {
    // Whoever finds a part would take it for the whole thread.
    await rm(file, { force: true })
    signal.throwIfAborted()
    throw thrown instanceof Failure || thrown instanceof Unavailable ? thrown : notWritten(file, thrown)
  }
}

function notWritten(file: string, thrown: unknown): Failure {
  const exists = existsSync(file) && (thrown as NodeJS.ErrnoException).code === 'EEXIST'
  return new Failure(
    'not_written',
    exists ? `${file} already exists.` : `${file} can’t be written: ${reasonOf(thrown)}.`,
    cliWords.exportFileRemedy(),
    { cause: thrown },
  )
}
