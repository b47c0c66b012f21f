import { counted, cutCharacters, shownPath, sizeWords } from '../kit/text/shown.ts'
import { backUp } from '../wiring/backup/back-up.ts'
import { archiveIn, stoppable } from './archive-command.ts'
import type { Home } from './home.ts'
import { loadOrThrow } from './load.ts'
import { cliWords } from './words.ts'

const mostShown = 300

const shortPath = (path: string): string =>
  path.length > mostShown ? `${shownPath(cutCharacters(path, mostShown))}…` : shownPath(path)

const listed = (paths: string[]): string => paths.map((path) => `\n  ${shortPath(path)}`).join('')

/** Puts everything the bot needs into one archive. */
export async function backupCommand(args: string[], { envFile }: Home): Promise<number> {
  const file = archiveIn('backup', args)
  const config = loadOrThrow()
  const done = await stoppable({ what: 'backup', remedy: cliWords.nothingWritten() }, (signal) =>
    backUp({ config, envFile, file, signal }),
  )
  const secrets = done.hasEnvironment ? 'the tokens in .env' : 'any tokens in config/'
  process.stdout.write(
    `${[
      cliWords.backupDone({ file: done.file, files: counted(done.files, 'file'), bytes: sizeWords(done.bytes) }),
      cliWords.backupIsPrivate({ secrets }),
      ...(done.hasEnvironment ? [] : [cliWords.backupWithoutEnv()]),
      ...(done.leftOut === 0
        ? []
        : [`Left out: ${counted(done.leftOut, 'link or special file', 'links and special files')}.`]),
      ...(done.unreadable.length === 0 ? [] : [cliWords.backupUnreadable({ paths: listed(done.unreadable) })]),
      ...(done.cut.length === 0 ? [] : [cliWords.backupCut({ paths: listed(done.cut) })]),
    ].join('\n')}\n`,
  )
  return 0
}
