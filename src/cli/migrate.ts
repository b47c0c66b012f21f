import { migrateDatabase } from '../wiring/migrate.ts'
import { loadOrThrow } from './load.ts'
import { takesNone } from './usage.ts'

/** Brings the database to this version's schema without starting a bot. */
export async function migrateCommand(args: string[]): Promise<number> {
  takesNone('migrate', args)
  const missing = await migrateDatabase(loadOrThrow())
  process.stdout.write(
    missing.length === 0 ? 'The database is up to date.\n' : `The database is up to date now: ${missing.join(', ')}.\n`,
  )
  return 0
}
