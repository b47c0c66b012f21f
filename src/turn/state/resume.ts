import type { Person } from '../../domain/chat.ts'
import type { SessionId } from '../../domain/ids.ts'
import { parentCallOf } from '../../store/children.ts'
import { findByDedupKey, insertInbox } from '../../store/inbox.ts'
import { isForgotten, lastEvent } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import { lastTurn } from '../../store/turns.ts'
import { dropUnanswered } from './note-unanswered.ts'

export type Resumed = 'resumed' | 'nothing-to-resume' | 'waits-for-a-person'

/**
 * Continues what was interrupted: an open turn as it is, a failed or stopped one with a new turn. The caller wakes the
 * session.
 */
export async function resumeTurn(tx: Tx, session: SessionId, person: Person): Promise<Resumed> {
  await tx.hold(session)
  // A child ends once, and its parent has been told.
  if ((await parentCallOf(tx.db, session)) !== undefined) return 'nothing-to-resume'
  const turn = await lastTurn(tx.db, session)
  if (turn === undefined || turn.state === 'done' || (await isForgotten(tx, session))) return 'nothing-to-resume'
  if (turn.state === 'waiting') return 'waits-for-a-person'
  if (turn.state === 'running') return 'resumed'
  // Resuming the same turn twice counts once.
  const dedupKey = `resume:${turn.id}`
  if ((await findByDedupKey(tx.db, dedupKey)) === undefined) {
    const eventId = (await lastEvent(tx, session)) + 1
    await insertInbox(tx, session, { dedupKey, kind: 'resume', payload: { person, turn: turn.id }, eventId })
    await dropUnanswered(tx, turn)
  }
  return 'resumed'
}
