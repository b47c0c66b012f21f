import type { Person } from '../domain/chat.ts'
import type { LoopAction, NewEvent } from '../domain/events.ts'
import type { ApprovalAnswer, QuestionAnswer } from '../domain/question.ts'
import type { QuestionRequest, Request } from '../domain/request.ts'

export function answeredEvent(
  request: Request,
  given: ApprovalAnswer | QuestionAnswer,
  person: Person | undefined,
): NewEvent {
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  if (request.kind === 'approval' || 'decision' in given) {
    const said = 'decision' in given ? given : { decision: 'deny' as const }
    return { type: 'permission_replied', data: { ...ids, ...said, person, by: given.by ?? 'person' } }
  }
  const { text, option_ids, also, by, declined } = given
  return questionEvent(request, { ...ids, answer: text, option_ids, also, person, by, declined })
}

export function withdrawnEvent(request: Request, person: Person | undefined): NewEvent {
  const { turn, id, call } = request
  const ids = { turn_id: turn, request_id: id, call_id: call, person, by: 'stop' as const }
  if (request.kind === 'approval')
    return { type: 'permission_replied', data: { ...ids, decision: 'deny', reason: 'stopped' } }
  return questionEvent(request, { ...ids, answer: '', option_ids: [] })
}

type Answered = Extract<NewEvent, { type: 'question_answered' }>['data']

function questionEvent({ kind, payload }: QuestionRequest, data: Answered): NewEvent {
  if (kind === 'loop') return { type: 'doom_loop_intervened', data: { ...data, action: loopAction(data) } }
  if (kind === 'decision') return { type: 'decision_answered', data }
  return { type: payload.clarification ? 'clarification_answered' : 'question_answered', data }
}

/** Skipping the question skips the call. */
function loopAction({ option_ids: [way], by, declined }: Answered): LoopAction {
  if (by === 'stop' || way === 'stop') return 'stop'
  if (way === 'continue' || way === 'skip') return way
  return declined ? 'skip' : 'correct'
}
