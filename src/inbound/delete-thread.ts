import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import type { LiveTexts } from '../outbound/live-texts.ts'
import { appendAudit } from '../store/audit.ts'
import { markDeleted } from '../store/delete-session.ts'
import { appendEvents } from '../store/events.ts'
import type { Tx } from '../store/store.ts'
import { stopTurn } from '../turn/state/stop.ts'

/**
 * Stops what runs and takes the session from its thread; what it holds is erased later. The caller interrupts the
 * engine.
 */
export async function deleteThread(tx: Tx, session: SessionId, person: Person, liveTexts: LiveTexts): Promise<void> {
  await stopTurn(tx, session, person, liveTexts)
  await markDeleted(tx, session)
  await appendEvents(tx, session, [{ type: 'deleted', data: { person } }])
  await appendAudit(tx, { kind: 'deleted', session, data: { by: person.id } })
}
