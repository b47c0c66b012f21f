import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { cliWords } from './words.ts'

/** A disk that was asleep needs a few seconds. */
const patienceMs = 5_000

/**
 * A network share that has gone away blocks whoever touches it, for ever. Ends the program in a sentence instead. A
 * blocked thread would also block the end of the program, so another program takes its place.
 */
export async function requireAnswer(directory: string): Promise<void> {
  const asked = statfs(directory).then(
    () => true,
    () => true,
  )
  const cancel = new AbortController()
  const answers = await Promise.race([asked, sleep(patienceMs, false, cancel).catch(() => false)])
  cancel.abort()
  if (answers) return
  const remedy = cliWords.dataDirSilentRemedy()
  process.stderr.write(`${cliWords.dataDirSilent({ directory, remedy })}\n`)
  process.execve?.('/bin/sh', ['sh', '-c', 'exit 1'], process.env)
  process.kill(process.pid, 'SIGKILL')
}
