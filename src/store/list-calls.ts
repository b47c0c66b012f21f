import { sql } from 'kysely'
import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import { type StoredCall, toCall } from './calls.ts'
import type { Db } from './store.ts'

interface Listed {
  turn: string | undefined
  /** The id of a call of this session. */
  before: string | undefined
  limit: number
}

/** Whether a session has a call with this id. */
export async function hasCall(db: Db, session: SessionId, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('calls')
    .select('id')
    .where('session_id', '=', session)
    .where('id', '=', id as CallId)
    .executeTakeFirst()
  return row !== undefined
}

/** The calls of a session, or of one of its turns, that come before one of them, or all; the latest first. */
export async function listCalls(db: Db, session: SessionId, { turn, before, limit }: Listed): Promise<StoredCall[]> {
  let query = db.selectFrom('calls').selectAll().where('session_id', '=', session)
  if (turn !== undefined) query = query.where('turn_id', '=', turn as TurnId)
  if (before !== undefined)
    query = query.where(
      sql<boolean>`(proposed_at, place, id) < (select proposed_at, place, id from calls where id = ${before})`,
    )
  const rows = await query
    .orderBy('proposed_at', 'desc')
    .orderBy('place', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toCall)
}
