import type { SessionId, TurnId } from '../domain/ids.ts'
import { silenceKept } from '../kit/model/silence.ts'
import { field } from './json.ts'
import type { Db } from './store.ts'
import type { StoredTurn } from './turns.ts'

const alarm = field('payload', '$.alarm')

/**
 * Whether a turn has read only rings of alarms, and ends as the last turn did that had read each of them: that failed
 * too, or people were told this text then and nothing else since.
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
    const before = { session, alarm: one.alarm, turn: id }
    const state = await stateAtLastRing(db, before)
    if (end === 'failed' ? state !== 'failed' : state !== 'done') return false
    if (end !== 'failed' && (await saidAtRings(db, before)) !== end.text) return false
  }
  return read.length > 0
}

interface Before {
  session: SessionId
  alarm: string
  turn: TurnId
}

const ringsBefore = (db: Db, before: Before) =>
  db
    .selectFrom('inbox')
    .where('inbox.session_id', '=', before.session)
    .where('kind', '=', 'alarm')
    .where(alarm, '=', before.alarm)
    .where('turn_id', '<>', before.turn)

async function stateAtLastRing(db: Db, before: Before) {
  const row = await ringsBefore(db, before)
    .innerJoin('turns', 'turns.id', 'turn_id')
    .select('turns.state')
    .orderBy('inbox.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state
}

/** The last words of the turns that had read it. */
async function saidAtRings(db: Db, before: Before): Promise<string | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('text')
    .where('session_id', '=', before.session)
    .where('role', '=', 'assistant')
    .where('text', '<>', silenceKept)
    .where('turn_id', 'in', ringsBefore(db, before).select('turn_id').$castTo<{ turn_id: TurnId }>())
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.text
}
