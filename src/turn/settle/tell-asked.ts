import type { Question } from '../../domain/question.ts'
import type { Request } from '../../domain/request.ts'
import { parentCallOf } from '../../store/children.ts'
import { appendEvents } from '../../store/events.ts'
import type { ParentCall } from '../../store/session-rows.ts'
import type { Tx } from '../../store/store.ts'
import { openTurn } from '../../store/turns.ts'
import { tellOfRequest } from '../../trust/tell-request.ts'
import type { AskPerson } from '../port/calls.ts'
import { closeMessage } from '../state/end-turn.ts'
import { askedEvent } from './asked-event.ts'

/**
 * Tells screens what was asked. A child's card stands in the parent's thread, so the parent's message ends above it.
 */
export async function tellAsked(tx: Tx, request: Request): Promise<void> {
  await tellOfRequest(tx, request, askedEvent(request))
  const parent = await parentCallOf(tx.db, request.session)
  if (parent !== undefined) await endMessageAbove(tx, parent, request)
}

async function endMessageAbove(tx: Tx, { session, turn }: ParentCall, { id }: Request): Promise<void> {
  const open = await openTurn(tx.db, session)
  if (open?.id !== turn) return
  await closeMessage(tx, open)
  await appendEvents(tx, session, [{ type: 'waiting', data: { turn_id: turn, request_ids: [id] } }])
}

/** The same with the name of the child session that asks, for whoever sees it in the thread of its parent. */
export const askedBy = (name: string, question: Question): Question => ({
  ...question,
  context: question.context === undefined ? `${name} asks.` : `${name} asks. ${question.context}`,
})

/** The same for whatever is asked. */
export const whatAskedBy = (name: string, what: AskPerson): AskPerson =>
  what.kind === 'approval'
    ? { ...what, payload: { ...what.payload, reason: `${name} asks. ${what.payload.reason}` } }
    : { ...what, payload: askedBy(name, what.payload) }
