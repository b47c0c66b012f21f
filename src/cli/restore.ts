import { restore } from '../wiring/backup/restore.ts'
import { archiveIn, stoppable } from './archive-command.ts'
import { loadOrThrow } from './load.ts'

/** Puts a backup into an empty data directory. */
export async function restoreCommand(args: string[]): Promise<number> {
  const file = archiveIn('restore', args)
  const config = loadOrThrow()
  const { about, migrated, settings } = await stoppable(
    { what: 'restore', remedy: 'Nothing was restored.' },
    (signal) => restore({ config, file, signal }),
  )
  const made = about.createdAt.slice(0, 16).replace('T', ' ')
  process.stdout.write(
    `${[
      `Restored the backup of ${made} UTC to ${config.dataDir}.`,
      ...(migrated.length === 0 ? [] : [`Its database was updated to this version: ${migrated.join(', ')}.`]),
      `Its configuration is in ${settings}: compare it with yours, and copy what you need.`,
      'Next: start Bobbin. Never run the bot that was backed up as well, because both would answer.',
    ].join('\n')}\n`,
  )
  return 0
}
