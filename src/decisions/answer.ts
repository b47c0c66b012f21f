import type { Person } from '../domain/chat.ts'
import type { NewEvent } from '../domain/events.ts'
import type { RequestId, SessionId } from '../domain/ids.ts'
import type { ApprovalAnswer, Given, QuestionAnswer } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import { appendEvents } from '../store/events.ts'
import { insertInbox } from '../store/inbox.ts'
import { answerRequest, findRequest } from '../store/requests.ts'
import type { Store, Tx } from '../store/store.ts'
import { showOutcome } from './cards.ts'
import { matchAnswer } from './match-option.ts'

export type Answered =
  | { kind: 'taken'; session: SessionId }
  | { kind: 'not-found' }
  /** Somebody was first, or the turn was stopped. */
  | { kind: 'too-late'; request: Request }
  /** An approval is not answered with text, nor a question with a verdict. */
  | { kind: 'unfit'; expected: Request['kind'] }

/** Takes a decision, once, whoever else tries at the same instant. The caller wakes the session. */
export function answer(store: Store, id: string, given: Given, person: Person): Promise<Answered> {
  return store.transaction(async (tx) => {
    const request = await findRequest(tx.db, id)
    if (request === undefined) return { kind: 'not-found' }
    const fits = given.kind === 'approval' ? request.kind === 'approval' : request.kind !== 'approval'
    if (!fits) return { kind: 'unfit', expected: request.kind }
    const taken = await takeAnswer(tx, request, toAnswer(request, given), person)
    if (!taken) return { kind: 'too-late', request }
    await insertInbox(tx, request.session, {
      dedupKey: answerKey(request.id),
      kind: 'answer',
      payload: { person, request: request.id },
      eventId: taken.eventId,
    })
    return { kind: 'taken', session: request.session }
  })
}

export const answerKey = (request: RequestId): string => `answer:${request}`

export function toAnswer(request: Request, given: Given): ApprovalAnswer | QuestionAnswer {
  if (given.kind === 'approval' || request.kind === 'approval') {
    return given.kind === 'approval' ? given.answer : { decision: 'deny' }
  }
  if (given.kind === 'declined') return { text: '', option_ids: [], by: 'person', declined: true }
  return { ...matchAnswer(request.payload, given.answer), by: 'person' }
}

/** The compare-and-set and its event; undefined when the request was taken already. */
export async function takeAnswer(
  tx: Tx,
  request: Request,
  given: ApprovalAnswer | QuestionAnswer,
  person: Person | undefined,
): Promise<{ eventId: number } | undefined> {
  if (!(await answerRequest(tx, request.id, given, person))) return undefined
  await showOutcome(tx, request)
  return { eventId: await appendEvents(tx, request.session, [answeredEvent(request, given, person)]) }
}

function answeredEvent(request: Request, given: ApprovalAnswer | QuestionAnswer, person: Person | undefined): NewEvent {
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  if ('decision' in given) return { type: 'permission_replied', data: { ...ids, ...given, person, by: 'person' } }
  const { text, option_ids, by, declined } = given
  const type = request.kind === 'decision' ? 'decision_answered' : 'question_answered'
  return { type, data: { ...ids, answer: text, option_ids, person, by, declined } }
}
