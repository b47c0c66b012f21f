import type { Person } from '../../domain/chat.ts'
import type { CallId } from '../../domain/ids.ts'
import type { Request } from '../../domain/request.ts'
import { appendAudit } from '../../store/audit.ts'
import { markEnded, openCalls, type StoredCall } from '../../store/calls.ts'
import { findChild } from '../../store/children.ts'
import { appendEvents } from '../../store/events.ts'
import { bumpEpoch } from '../../store/hold-session.ts'
import { dropUnread } from '../../store/inbox.ts'
import { endJobs } from '../../store/jobs.ts'
import { pendingRequests } from '../../store/list-requests.ts'
import { appendMessage } from '../../store/messages.ts'
import { endPlan } from '../../store/plans.ts'
import { cancelRequest } from '../../store/requests.ts'
import type { Tx } from '../../store/store.ts'
import { openTurn, type StoredTurn, setTurnState } from '../../store/turns.ts'
import { withdrawnEvent } from '../../trust/answered-event.ts'
import { showOutcome } from '../../trust/cards.ts'
import { tellRefusals } from '../../trust/refusals.ts'
import { tellOfRequest } from '../../trust/tell-request.ts'

/**
 * Runs before a turn ends without an answer: withdraws its requests and gives every open call a result, so that the
 * history stays well-formed. `why` completes "Not run: …".
 */
export async function closeOpen(tx: Tx, turn: StoredTurn, why: string, person?: Person): Promise<void> {
  for (const request of await pendingRequests(tx.db, turn.session)) await withdraw(tx, request, person)
  for (const call of await openCalls(tx.db, turn.id)) await endCall(tx, call, why, person)
  await endPlan(tx, turn.id, why)
}

/**
 * The child session that the call opened ends with it: whoever runs it can't write any more, and it never wakes again.
 */
export async function endChild(tx: Tx, call: CallId, why: string, person?: Person): Promise<void> {
  const child = await findChild(tx.db, call)
  if (child === undefined) return
  await tx.hold(child.id)
  const turn = await openTurn(tx.db, child.id)
  await dropUnread(tx, child.id)
  if (turn === undefined) return
  await bumpEpoch(tx, child.id)
  tx.wakes(child.id, { interrupts: true })
  await closeOpen(tx, turn, why, person)
  await setTurnState(tx, turn.id, 'stopped')
  await appendEvents(tx, child.id, [{ type: 'stopped', data: { turn_id: turn.id, person } }])
}

/** Nobody needs to answer this request any more, so its card closes. */
export async function withdraw(tx: Tx, request: Request, person?: Person): Promise<void> {
  await cancelRequest(tx, request.id, person)
  await showOutcome(tx, request)
  const data = { request: request.id, by: person?.id }
  await tellRefusals(tx, { session: request.session, about: { request: request.id } })
  await appendAudit(tx, { kind: 'withdrawn', session: request.session, data })
  await tellOfRequest(tx, request, withdrawnEvent(request, person))
}

async function endCall(tx: Tx, call: StoredCall, why: string, person?: Person): Promise<void> {
  const started = call.state === 'started'
  const status = started ? 'unknown' : 'denied'
  const result = started
    ? `Unknown outcome: ${why} while this ran. It may or may not have taken effect.`
    : `Not run: ${why}.`
  if (!(await markEnded(tx, call.id, status, result))) return
  await endJobs(tx, call.id)
  await endChild(tx, call.id, why, person)
  await appendMessage(tx, call.session, { role: 'tool', turn: call.turn, text: result, call: call.id, program: true })
  await appendAudit(tx, { kind: 'ended', session: call.session, data: { call: call.id, tool: call.name, status, why } })
  const data = { turn_id: call.turn, call_id: call.id, tool_name: call.name, status, result } as const
  await appendEvents(tx, call.session, [{ type: 'observe', data }])
}
