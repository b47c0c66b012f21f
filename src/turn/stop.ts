import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { plainName } from '../kit/text/text.ts'
import type { LiveTexts } from '../outbound/live-texts.ts'
import { wholeText } from '../outbound/text-stream.ts'
import { appendEvents } from '../store/events.ts'
import { bumpEpoch } from '../store/hold-session.ts'
import { holdInbox } from '../store/inbox.ts'
import type { Tx } from '../store/store.ts'
import { openTurn, setTurnState } from '../store/turns.ts'
import { closeOpen } from './close-open.ts'
import { closeMessage } from './end-turn.ts'
import { beginTurn } from './next-turn.ts'

/**
 * Ends the session's turn at once, from any process. A new epoch fences off whoever runs it. Calls that were
 * started end as unknown, open requests are withdrawn, and messages that arrived meanwhile are not answered but read
 * with the next one. An alarm that rang meanwhile opens the next turn; with `opening`, so does what was said. What was
 * stored and whose turn has not begun yet is stopped as well. False when nothing runs or is about to. The caller interrupts
 * the engine.
 */
export async function stopTurn(
  tx: Tx,
  session: SessionId,
  person: Person,
  live: LiveTexts,
  held: 'all' | 'opening' = 'all',
): Promise<boolean> {
  const turn = (await openTurn(tx.db, session)) ?? (await beginTurn(tx, session))
  if (turn === undefined) return false
  await bumpEpoch(tx, session)
  const said = live.close(session)
  // It stays as far as it was shown.
  if (said?.turn === turn.id) await appendEvents(tx, session, wholeText(said, { text: said.shown }))
  await closeOpen(tx, turn, `${plainName(person.name)} stopped the turn`, person)
  await closeMessage(tx, turn)
  await holdInbox(tx, session, turn.id, held)
  await setTurnState(tx, turn.id, 'stopped')
  await appendEvents(tx, session, [{ type: 'stopped', data: { turn_id: turn.id, person } }])
  return true
}
