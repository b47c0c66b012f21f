import type { NewEvent } from '../domain/events.ts'
import type { Request } from '../domain/request.ts'
import { parentCallOf } from '../store/children.ts'
import { appendEvents } from '../store/events.ts'
import type { Tx } from '../store/store.ts'

/**
 * Tells screens about a request. What a child session asks is shown in its parent's thread too, as part of the parent's
 * turn. Returns the event's number in the request's own session.
 */
export async function tellOfRequest(tx: Tx, { session }: Pick<Request, 'session'>, event: NewEvent): Promise<number> {
  const parent = await parentCallOf(tx.db, session)
  if (parent !== undefined) {
    // Every event about a request names its turn.
    const there = { ...event, data: { ...event.data, turn_id: parent.turn } } as NewEvent
    await appendEvents(tx, parent.session, [there])
  }
  return appendEvents(tx, session, [event])
}
