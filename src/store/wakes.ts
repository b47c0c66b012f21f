import { isGone } from './lock.ts'
import type { Db } from './store.ts'

/** A wake as the engine knows it. */
export interface TakenWake {
  id: string
  retryCount: number
}

const taken = (db: Db) => db.selectFrom('wakes').select(['job as id', 'attempt as retryCount'])

/** Wakes that this process took, and may not know of. */
export const wakesTakenBy = (db: Db, holder: string): Promise<TakenWake[]> =>
  taken(db).where('holder', '=', holder).execute()

/** Wakes that were taken by processes that are gone. */
export async function lostWakes(db: Db): Promise<TakenWake[]> {
  return taken(db).where(isGone('wakes.holder')).execute()
}
