import type { SessionId } from '../domain/ids.ts'
import { appendEvents, unendedText } from '../store/events.ts'
import type { Tx } from '../store/store.ts'

/**
 * Ends text that somebody else was streaming, so that every `text_start` has its `text_end`. After a crash it does not
 * count (`discarded`): the reply is asked for again. After a stop it stays as far as it was shown.
 */
export async function endText(tx: Tx, session: SessionId, how: { discarded?: boolean }): Promise<void> {
  const begun = await unendedText(tx.db, session)
  if (begun !== undefined) await appendEvents(tx, session, [{ type: 'text_end', data: { ...begun, ...how } }])
}
