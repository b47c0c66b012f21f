import type { Person } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'
import { insertInbox } from '../store/inbox.ts'
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
    const { next_event } = await tx.db
      .selectFrom('sessions')
      .select('next_event')
      .where('id', '=', session)
      .executeTakeFirstOrThrow()
    // Resuming the same turn twice is once.
    const dedupKey = `resume:${turn.id}`
    const known = await tx.db.selectFrom('inbox').select('seq').where('dedup_key', '=', dedupKey).executeTakeFirst()
    if (known === undefined) {
      await insertInbox(tx, session, { dedupKey, kind: 'resume', payload: { person }, eventId: next_event })
    }
    return 'resumed'
  })
  if (outcome === 'resumed') engine.wake(session)
  return outcome
}
