import { migrateDatabase } from '../wiring/migrate.ts'
import { loadOrThrow } from './load.ts'
import { takesNone } from './usage.ts'
import { cliWords } from './words.ts'

/** Brings the database to this version's schema without starting a bot. */
export async function migrateCommand(args: string[]): Promise<number> {
  takesNone('migrate', args)
  const missing = await migrateDatabase(loadOrThrow())
  process.stdout.write(
    missing.length === 0
      ? `${cliWords.alreadyMigrated()}\n`
      : `${cliWords.migrated({ missing: missing.join(', ') })}\n`,
  )
  return 0
}
