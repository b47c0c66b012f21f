import { restore } from '../wiring/backup/restore.ts'
import { archiveIn, stoppable } from './archive-command.ts'
import { inForceAgain } from './in-force-again.ts'
import { loadOrThrow } from './load.ts'
import { cliWords } from './words.ts'

/** Puts a backup into an empty data directory. */
export async function restoreCommand(args: string[]): Promise<number> {
  const file = archiveIn('restore', args)
  const config = loadOrThrow()
  const { about, migrated, inForce, settings } = await stoppable(
    { what: 'restore', remedy: cliWords.nothingRestored() },
    (signal) => restore({ config, file, signal }),
  )
  const made = about.createdAt.slice(0, 16).replace('T', ' ')
  process.stdout.write(
    `${[
      cliWords.restoreDone({ made, dataDir: config.dataDir }),
      ...(migrated.length === 0 ? [] : [cliWords.restoreMigrated({ migrated: migrated.join(', ') })]),
      cliWords.restoredSettings({ settings }),
      ...inForceAgain(inForce, Date.parse(about.createdAt)),
      'Next: start Bobbin. Never run the bot that was backed up as well, because both would answer.',
    ].join('\n')}\n`,
  )
  return 0
}
