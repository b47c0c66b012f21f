import type { Person } from '../../domain/chat.ts'
import type { SessionId } from '../../domain/ids.ts'
import { plainName } from '../../kit/text/text.ts'
import type { LiveTexts } from '../../outbound/live-texts.ts'
import { wholeText } from '../../outbound/text-stream.ts'
import { parentCallOf, tellParent } from '../../store/children.ts'
import { appendEvents } from '../../store/events.ts'
import { holdInbox } from '../../store/hold-inbox.ts'
import { bumpEpoch } from '../../store/hold-session.ts'
import { endJobsOfKind } from '../../store/jobs.ts'
import { recognizing } from '../../store/recognized-row.ts'
import type { Tx } from '../../store/store.ts'
import { openTurn, setTurnState } from '../../store/turns.ts'
import { closeOpen } from './close-open.ts'
import { closeMessage } from './end-turn.ts'
import { beginTurn } from './next-turn.ts'
import { startPosting } from './unfinished-outputs.ts'

/**
 * Ends the session's turn at once, from any process. A new epoch fences off whoever runs it. Started calls end as
 * unknown, open requests are withdrawn, and messages that arrived meanwhile are read with the next one, not answered.
 * An alarm that rang meanwhile opens the next turn, and so do messages that were said after `at`; with `opening`, all
 * messages do. A stored message whose turn hasn't begun is stopped too, and so is the reading of scans. False when
 * nothing runs or is about to. The caller interrupts the engine.
 */
export async function stopTurn(
  tx: Tx,
  session: SessionId,
  person: Person,
  liveTexts: LiveTexts,
  { held = 'all', at }: { held?: 'all' | 'opening'; at?: number | undefined } = {},
): Promise<boolean> {
  await tx.hold(session)
  const wasReading = await endJobsOfKind(tx, session, recognizing)
  const turn = (await openTurn(tx.db, session)) ?? (await beginTurn(tx, session))
  if (turn === undefined) return wasReading
  await bumpEpoch(tx, session)
  const said = liveTexts.close(session)
  // The text stays as far as it was shown.
  if (said?.turn === turn.id) await appendEvents(tx, session, wholeText(said, { text: said.shown }))
  await closeOpen(tx, turn, `${plainName(person.name)} stopped the turn`, person)
  const parent = await parentCallOf(tx.db, session)
  if (parent === undefined) {
    await closeMessage(tx, turn)
    // Whoever deleted the message it was about may not want its files.
    if (held === 'all') await startPosting(tx, turn)
  } else {
    const text = `${plainName(person.name)} stopped it.`
    await tellParent(tx, parent, { state: 'stopped', text, steps: turn.steps, isCalledOff: true })
  }
  await holdInbox(tx, session, turn.id, { which: held, after: at })
  await setTurnState(tx, turn.id, 'stopped')
  await appendEvents(tx, session, [{ type: 'stopped', data: { turn_id: turn.id, person } }])
  return true
}
