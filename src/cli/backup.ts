import { counted, sizeWords } from '../kit/text/shown.ts'
import { backUp } from '../wiring/backup/back-up.ts'
import { archiveIn, stoppable } from './archive-command.ts'
import type { Home } from './home.ts'
import { loadOrThrow } from './load.ts'

/** Puts everything the bot needs into one archive. */
export async function backupCommand(args: string[], { envFile }: Home): Promise<number> {
  const file = archiveIn('backup', args)
  const config = loadOrThrow()
  const done = await stoppable({ what: 'backup', remedy: 'Nothing was written.' }, (signal) =>
    backUp({ config, envFile, file, signal }),
  )
  const secrets = done.hasEnvironment ? 'the tokens in .env' : 'any tokens in config/'
  process.stdout.write(
    `${[
      `Backed up to ${done.file}: ${counted(done.files, 'file')}, ${sizeWords(done.bytes)}. Every file was read again and compared.`,
      `It contains everything people said, and ${secrets}: keep it where nobody else can read it.`,
      ...(done.hasEnvironment
        ? []
        : ['There is no .env, so it has no tokens from the environment: keep those yourself.']),
      ...(done.leftOut === 0
        ? []
        : [`Left out: ${counted(done.leftOut, 'link or special file', 'links and special files')}.`]),
    ].join('\n')}\n`,
  )
  return 0
}
