import type { Person } from '../domain/chat.ts'
import type { NewEvent } from '../domain/events.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { markEnded, openCalls, type StoredCall } from '../store/calls.ts'
import { appendEvents } from '../store/events.ts'
import { pendingInbox, takeInbox } from '../store/inbox.ts'
import { appendMessage } from '../store/messages.ts'
import { cancelRequest, pendingRequests } from '../store/requests.ts'
import type { Store, Tx } from '../store/store.ts'
import { openTurn, setTurnState, type Turn } from '../store/turns.ts'

/**
 * Ends the session's turn at once, from any process: who runs it is fenced off by a new epoch and can write no more. What
 * was started has an unknown outcome, what was asked is withdrawn, what was said meanwhile is read and not answered.
 * False when nothing runs. The caller interrupts the engine.
 */
export function stopTurn(store: Store, session: SessionId, person: Person): Promise<boolean> {
  return store.transaction(async (tx) => {
    const turn = await openTurn(tx.db, session)
    if (turn === undefined) return false
    await tx.db
      .updateTable('sessions')
      .set((eb) => ({ epoch: eb('epoch', '+', 1), updated_at: tx.now }))
      .where('id', '=', session)
      .execute()

    for (const request of await pendingRequests(tx.db, session)) {
      await cancelRequest(tx, request.id, person)
      await appendEvents(tx, session, [withdrawn(request, person)])
    }
    for (const call of await openCalls(tx.db, turn.id)) await endCall(tx, call, person)
    await readUnanswered(tx, turn)
    await setTurnState(tx, turn.id, 'stopped')
    await appendEvents(tx, session, [{ type: 'stopped', data: { turn_id: turn.id, person } }])
    return true
  })
}

async function endCall(tx: Tx, call: StoredCall, person: Person): Promise<void> {
  const started = call.state === 'started'
  const status = started ? 'unknown' : 'denied'
  const result = started
    ? `Unknown outcome: ${person.name} stopped the turn while this ran. It may or may not have taken effect.`
    : `Not run: ${person.name} stopped the turn.`
  if (!(await markEnded(tx, call.id, status, result))) return
  await appendMessage(tx, call.session, { role: 'tool', turn: call.turn, text: result, call: call.id })
  const data = { turn_id: call.turn, call_id: call.id, tool_name: call.name, status, result } as const
  await appendEvents(tx, call.session, [{ type: 'observe', data }])
}

function withdrawn({ turn, id, call, kind }: Request, person: Person): NewEvent {
  const ids = { turn_id: turn, request_id: id, call_id: call, person, by: 'stop' as const }
  if (kind === 'approval') return { type: 'permission_replied', data: { ...ids, decision: 'deny', reason: 'stopped' } }
  const data = { ...ids, answer: '', option_ids: [] }
  return kind === 'decision' ? { type: 'decision_answered', data } : { type: 'question_answered', data }
}

/**
 * What people said into the turn stays in the history. Alarms, messages whose files are still to be fetched and what was
 * said after those open the next turn: a stop does not concern them.
 */
async function readUnanswered(tx: Tx, turn: Turn): Promise<void> {
  const pending = await pendingInbox(tx.db, turn.session)
  const withFiles = pending.findIndex((event) => event.kind === 'message' && event.payload.files.length > 0)
  const unread = pending.filter(
    ({ kind }, index) => kind === 'answer' || (kind === 'message' && (withFiles === -1 || index < withFiles)),
  )
  for (const event of unread) {
    if (event.kind !== 'message') continue
    const { person, text } = event.payload
    await appendMessage(tx, turn.session, { role: 'user', turn: turn.id, text, person, origin: 'person', files: [] })
  }
  await takeInbox(
    tx,
    turn.session,
    unread.map(({ seq }) => seq),
    turn.id,
  )
}
