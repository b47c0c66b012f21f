import type { SessionId, TurnId } from '../domain/ids.ts'
import { pendingInbox, unread } from './inbox.ts'
import { type InboxEvent, openingSaidAt } from './inbox-event.ts'
import { field } from './json.ts'
import type { Db, Tx } from './store.ts'

/**
 * A turn ends before it has read everything. What opened it must not open it again, nor may an answer to what it
 * asked. After a stop (`all`), neither people's messages nor late answers wake anybody. All of it is read with the next
 * message. What was said `after` a time, by the platform's clock, isn't held.
 */
export async function holdInbox(
  tx: Tx,
  session: SessionId,
  turn: TurnId,
  { which, after }: { which: 'opening' | 'all'; after?: number | undefined },
): Promise<void> {
  const later = after === undefined ? [] : await saidAfter(tx.db, session, after)
  await tx.db
    .updateTable('inbox')
    .set((eb) => ({ state: 'held', turn_id: eb.fn.coalesce('turn_id', eb.val(turn)) }))
    .where('session_id', '=', session)
    .where('state', 'in', unread)
    .$if(later.length > 0, (query) => query.where('seq', 'not in', later))
    .where(({ or, eb, selectFrom }) => {
      const opening = eb('seq', '=', selectFrom('turns').select('inbox_seq').where('id', '=', turn))
      if (which === 'all') return or([eb('kind', 'in', ['message', 'answer']), opening])
      return or([opening, eb(field('payload', '$.answered'), 'is not', null)])
    })
    .execute()
}

/** Unread messages that are no answers. */
async function saidAfter(db: Db, session: SessionId, time: number): Promise<number[]> {
  const waiting = await pendingInbox(db, session)
  const isLater = (event: InboxEvent) =>
    event.kind === 'message' && event.payload.answered === undefined && (openingSaidAt(event) ?? 0) > time
  return waiting.filter(isLater).map(({ seq }) => seq)
}
