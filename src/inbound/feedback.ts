import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { appendEvents, findEventByKey, releaseKey } from '../store/events.ts'
import type { Store, Tx } from '../store/store.ts'

export interface Feedback {
  /** The answer. */
  answer: string
  value: 'good' | 'bad'
  /** In the person's own words. Without it, one that was given before for the same value stays. */
  reason?: string | undefined
  person: Person
}

/** Characters of a reason that are kept. */
const longestReason = 3_000

/**
 * Stores what somebody says about an answer. `place` names the message it was said about: there the last one counts.
 */
export async function giveFeedback(
  store: Store,
  session: SessionId,
  place: string,
  { answer, value, reason, person }: Feedback,
): Promise<void> {
  const key = `feedback:${session}:${place}:${person.id}`
  // Masked before it is cut, because nobody would recognize a part of a secret.
  const words = store.mask(reason?.trim() ?? '').slice(0, longestReason) || undefined
  await store.transaction(async (tx) => {
    await tx.hold(session)
    const last = await lastOf(tx, key)
    if (last?.value === value && (words === undefined || last.reason === words)) return
    await releaseKey(tx, key)
    const data = { message_id: answer, value, ...(words !== undefined && { reason: words }), person }
    await appendEvents(tx, session, [{ type: 'feedback', data }], key)
  })
}

async function lastOf(tx: Tx, key: string) {
  const event = await findEventByKey(tx.db, key)
  return event?.type === 'feedback' ? event.data : undefined
}
