import type { SessionId, TurnId } from '../domain/ids.ts'
import { silenceKept } from '../kit/model/silence.ts'
import { field } from './json.ts'
import type { Db } from './store.ts'
import type { StoredTurn } from './turns.ts'

const alarm = field('payload', '$.alarm')

/**
 * Whether a turn has read only rings of alarms, and ends as the last turn did that had read each of them: that failed
 * too, or ended well, and the last thing said in the thread was this text.
 */
export async function endsAsAtLastRing(
  db: Db,
  { id, session }: StoredTurn,
  end: 'failed' | { text: string },
): Promise<boolean> {
  const read = await db
    .selectFrom('inbox')
    .select(['kind', alarm.as('alarm')])
    .where('session_id', '=', session)
    .where('turn_id', '=', id)
    .execute()
  for (const one of read) {
    if (one.kind !== 'alarm' || one.alarm === null) return false
    const state = await stateAtLastRing(db, { session, alarm: one.alarm, turn: id })
    if (state !== (end === 'failed' ? 'failed' : 'done')) return false
  }
  return read.length > 0 && (end === 'failed' || (await lastSaid(db, session)) === end.text)
}

async function stateAtLastRing(db: Db, before: { session: SessionId; alarm: string; turn: TurnId }) {
  const row = await db
    .selectFrom('inbox')
    .innerJoin('turns', 'turns.id', 'turn_id')
    .select('turns.state')
    .where('inbox.session_id', '=', before.session)
    .where('kind', '=', 'alarm')
    .where(alarm, '=', before.alarm)
    .where('turn_id', '<>', before.turn)
    .orderBy('inbox.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state
}

/** The bot's last words in the thread. */
async function lastSaid(db: Db, session: SessionId): Promise<string | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('text')
    .where('session_id', '=', session)
    .where('role', '=', 'assistant')
    .where('text', '<>', silenceKept)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.text
}
