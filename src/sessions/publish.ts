import type { Outgoing, ThreadRef } from '../domain/chat.ts'
import type { MessageId } from '../domain/ids.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import { turnOfPosting } from '../store/outbox.ts'
import { findSessionByThread } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'

/** Shows a message in the console's thread as an event; the same key again shows nothing. Returns the event's key. */
export function publish(store: Store, thread: ThreadRef, message: Outgoing, key: string): Promise<string> {
  return store.transaction(async (tx) => {
    const session = await findSessionByThread(tx.db, thread)
    if (session === undefined) throw new Error(`there is no thread ${thread.thread} in the console`)
    if ((await findEventByKey(tx.db, key)) !== undefined) return key
    const turn = await turnOfPosting(tx.db, key)
    // The key of an outbox entry is its message id.
    const data = { message_id: key as MessageId, role: 'assistant' as const, ...message, turn_id: turn }
    await appendEvents(tx, session.id, [{ type: 'message', data }], key)
    return key
  })
}
