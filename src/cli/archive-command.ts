import { Failure } from '../kit/failure.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

/** The archive that `backup` and `restore` are given. */
export function archiveIn(command: string, args: readonly string[]): string {
  const [file, ...more] = args
  const usage = `Usage: ${command} <file.tar.gz>`
  if (file === undefined || more.length > 0) throw new UsageFault(`${command} takes one file.`, usage)
  if (file.startsWith('-')) throw new UsageFault(cliWords.unknownOption({ file: JSON.stringify(file) }), usage)
  // A bare word is meant as a subcommand, and there are none.
  if (command === 'backup' && /^[a-z]+$/i.test(file))
    throw new UsageFault(cliWords.notAnArchive({ file: JSON.stringify(file) }), usage)
  return file
}

/** The first signal undoes what was begun; a second one ends the process at once. */
export async function stoppable<Done>(
  { what, remedy }: { what: string; remedy: string },
  work: (signal: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort(new Failure('stopped', cliWords.archiveStopped({ what }), remedy))
  }
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.on(name, stop)
  try {
    return await work(stopping.signal)
  } catch (thrown) {
    // Anything else may have failed when it was too late to stop.
    if (thrown instanceof Error && thrown.name === 'AbortError') stopping.signal.throwIfAborted()
    throw thrown
  } finally {
    for (const name of names) process.off(name, stop)
  }
}
