import type { SessionId } from '../../domain/ids.ts'
import { ringKey } from '../../domain/keys.ts'
import type { InboxPayload } from '../../store/inbox-event.ts'
import { insertOutbox } from '../../store/outbox.ts'
import type { Tx } from '../../store/store.ts'
import { withLateness } from './alarm-text.ts'
import { turnWords } from './words.ts'

/** While a request waits, the model reads no alarm, so people are told what it is about, once for each ring. */
export function tellAlarm(tx: Tx, session: SessionId, { alarm, message, dueAt }: InboxPayload['alarm']): Promise<void> {
  const text = turnWords.ringsWaiting({ text: withLateness(message, tx.now - dueAt) })
  // It is no part of the turn.
  const entry = { key: ringKey(alarm, dueAt), session, turn: undefined, kind: 'answer' as const }
  return insertOutbox(tx, { ...entry, payload: { text, files: [] } })
}
