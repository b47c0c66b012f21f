import { messageInKey } from '../../domain/keys.ts'
import { dropReason, insertIgnored } from '../../store/ignored.ts'
import { askedIn } from '../../store/inbox.ts'
import { hasAnswered } from '../../store/outbox.ts'
import type { Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'

/** Stores why a turn that has said nothing leaves the messages that it has read unanswered. */
export async function noteUnanswered(tx: Tx, turn: StoredTurn, { thread }: Session, reason: string): Promise<void> {
  if (await hasAnswered(tx.db, turn.id)) return
  for (const { dedupKey, person } of await askedIn(tx.db, turn))
    await insertIgnored(tx, { dedupKey, thread, message: messageInKey(dedupKey), person, reason })
}

/** The turn is tried again, so the messages that it has read get an answer after all. */
export async function dropUnanswered(tx: Tx, turn: StoredTurn): Promise<void> {
  for (const { dedupKey } of await askedIn(tx.db, turn)) await dropReason(tx, dedupKey)
}
