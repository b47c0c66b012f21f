import { type Config, databasePlace } from '../config/config.ts'
import { refuseBeside } from '../engine/process-lock.ts'
import { systemClock } from '../kit/clock.ts'
import { type Db, Store } from '../store/store.ts'
import { refuseHalfRestored } from './backup/staging.ts'

/**
 * Brings the database to this version's schema, the engine's tables included. Returns the steps that were missing.
 * Throws `restore_unfinished`, on SQLite also `already_running`.
 */
export async function migrateDatabase(config: Config): Promise<string[]> {
  refuseHalfRestored(config.dataDir)
  const beforeMigrating = (db: Db) => refuseBeside(db, config.engine.silentMs)
  const store = await Store.open(databasePlace(config), systemClock, undefined, { beforeMigrating })
  try {
    const { server } = store
    if (server !== undefined) await (await import('../engine/open-boss.ts')).prepareBoss(server)
    return store.migrated
  } finally {
    await store.close()
  }
}
