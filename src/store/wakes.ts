import { isGone } from './lock.ts'
import type { Db } from './store.ts'

/** A wake as the engine knows it. */
export interface TakenWake {
  id: string
  retryCount: number
}

/** Wakes that were taken by processes that are gone. */
export async function lostWakes(db: Db): Promise<TakenWake[]> {
  return db.selectFrom('wakes').select(['job as id', 'attempt as retryCount']).where(isGone('wakes.holder')).execute()
}
