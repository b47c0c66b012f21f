import type { Person } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'
import { findByDedupKey, insertInbox } from '../store/inbox.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { lastTurn } from '../store/turns.ts'

export type Resumed = 'resumed' | 'nothing-to-resume' | 'waits-for-a-person'

/** Goes on with what was interrupted: an open turn is woken, after a failed or stopped one a new turn begins. */
export async function resumeSession(
  store: Store,
  engine: Engine,
  session: SessionId,
  person: Person,
): Promise<Resumed> {
  const outcome = await store.transaction(async (tx): Promise<Resumed> => {
    const turn = await lastTurn(tx.db, session)
    if (turn === undefined || turn.state === 'done') return 'nothing-to-resume'
    if (turn.state === 'waiting') return 'waits-for-a-person'
    if (turn.state === 'running') return 'resumed'
    // Resuming the same turn twice is once.
    const dedupKey = `resume:${turn.id}`
    if ((await findByDedupKey(tx.db, dedupKey)) === undefined) {
      const found = await findSession(tx.db, session)
      const eventId = (found?.lastEvent ?? 0) + 1
      await insertInbox(tx, session, { dedupKey, kind: 'resume', payload: { person }, eventId })
    }
    return 'resumed'
  })
  if (outcome === 'resumed') engine.wake(session)
  return outcome
}
