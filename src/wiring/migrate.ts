import { type Config, databasePlace } from '../config/config.ts'
import { systemClock } from '../kit/clock.ts'
import { Store } from '../store/store.ts'
import { refuseHalfRestored } from './backup/staging.ts'

/**
 * Brings the database to this version's schema, the engine's tables included. Returns the steps that were missing.
 * Throws `restore_unfinished`.
 */
export async function migrateDatabase(config: Config): Promise<string[]> {
  refuseHalfRestored(config.dataDir)
  const store = await Store.open(databasePlace(config), systemClock)
  try {
    const { server } = store
    if (server !== undefined) await (await import('../engine/open-boss.ts')).prepareBoss(server)
    return store.migrated
  } finally {
    await store.close()
  }
}
