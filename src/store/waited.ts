import { sql } from 'kysely'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { Db } from './store.ts'

/** How long people have been waited for in a turn, ms. What they were asked at the same time counts once. */
export async function waitedIn(
  db: Db,
  { id, session }: { id: TurnId; session: SessionId },
  now: number,
): Promise<number> {
  const rows = await db
    .selectFrom('requests')
    .select(['asked_at', 'answered_at'])
    .where('session_id', '=', session)
    .where('turn_id', '=', id)
    .where((eb) => eb.or([eb('state', '=', sql.lit('pending')), eb('answered_at', 'is not', null)]))
    .orderBy('asked_at')
    .execute()
  let [waited, until] = [0, 0]
  for (const { asked_at, answered_at } of rows) {
    const end = Math.max(until, answered_at ?? now)
    waited += end - Math.max(until, asked_at)
    until = end
  }
  return waited
}
