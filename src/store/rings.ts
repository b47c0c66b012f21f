import type { AlarmId, SessionId, TurnId } from '../domain/ids.ts'
import { ringKey, ringKeys } from '../domain/keys.ts'
import { silenceKept } from '../kit/model/silence.ts'
import { field } from './json.ts'
import type { Db } from './store.ts'
import type { StoredTurn } from './turns.ts'

const alarm = field('payload', '$.alarm')

/**
 * Whether a turn has read nothing but rings of alarms, and ends as the last turn did in which each of them rang: that
 * one failed too, or ended with this text. What people were told since counts as well, but not how other alarms ended.
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
  const state = end === 'failed' ? 'failed' : 'done'
  for (const one of read) {
    if (one.kind !== 'alarm' || one.alarm === null) return false
    const before = readBefore(db, { session, alarm: one.alarm, turn: id })
    if ((await lastState(before.where('kind', '=', 'alarm'))) !== state) return false
    if (end === 'failed' ? (await lastState(before)) !== state : (await lastSaid(db, session, before)) !== end.text)
      return false
  }
  return read.length > 0
}

/** What earlier turns had read: rings of this alarm, and what isn't a ring. */
const readBefore = (db: Db, before: { session: SessionId; alarm: string; turn: TurnId }) =>
  db
    .selectFrom('inbox')
    .where('inbox.session_id', '=', before.session)
    .where('turn_id', '<>', before.turn)
    .where((eb) => eb.or([eb('kind', '<>', 'alarm'), eb(alarm, '=', before.alarm)]))

type Read = ReturnType<typeof readBefore>

async function lastState(read: Read) {
  const row = await read
    .innerJoin('turns', 'turns.id', 'turn_id')
    .select('turns.state')
    .orderBy('inbox.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state
}

/** The bot's last words in the turns that had read it. */
async function lastSaid(db: Db, session: SessionId, read: Read): Promise<string | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('text')
    .where('session_id', '=', session)
    .where('role', '=', 'assistant')
    .where('text', '<>', silenceKept)
    .where('turn_id', 'in', read.select('turn_id').$castTo<{ turn_id: TurnId }>())
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.text
}

/** Whether people were told of this ring, or of an earlier one since then, or that still has to be posted. */
export async function isRingTold(
  db: Db,
  { id, session, dueAt }: { id: AlarmId; session: SessionId; dueAt: number },
  since: number,
): Promise<boolean> {
  const [from, to] = ringKeys(id)
  const told = await db
    .selectFrom('outbox')
    .select('key')
    .where('session_id', '=', session)
    .where('key', '>=', from)
    .where('key', '<', to)
    .where(({ or, eb }) =>
      or([eb('key', '=', ringKey(id, dueAt)), eb('created_at', '>', since), eb('state', '=', 'pending')]),
    )
    .limit(1)
    .executeTakeFirst()
  return told !== undefined
}
