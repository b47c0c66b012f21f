import type { SessionId } from '../domain/ids.ts'
import { runnableSessions } from './inbox.ts'
import { isGone } from './lock.ts'
import type { Db } from './store.ts'

/** How many are looked at once. */
const most = 5_000

/** Sessions with work to do that were held by a process that is gone. */
export async function orphanedSessions(db: Db): Promise<SessionId[]> {
  const runnable = (await runnableSessions(db)).slice(0, most)
  if (runnable.length === 0) return []
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', runnable)
    .where('holder', 'is not', null)
    .where(isGone('sessions.holder'))
    .execute()
  return rows.map(({ id }) => id)
}
