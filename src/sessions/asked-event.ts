import type { NewEvent } from '../domain/events.ts'
import type { Request } from '../domain/request.ts'

type AskedEvent = Extract<NewEvent, { type: 'permission_asked' | 'question_asked' | 'decision_asked' }>

/** How screens are told of a request. */
export function askedEvent(request: Request): AskedEvent {
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  if (request.kind === 'approval') {
    const { tool, input, reason, risk } = request.payload
    return { type: 'permission_asked', data: { ...ids, tool_name: tool, tool_input: input, reason, risk } }
  }
  const { decision, ...question } = request.payload
  const deadline_at = request.deadlineAt === undefined ? undefined : new Date(request.deadlineAt).toISOString()
  const data = { ...ids, ...question, deadline_at }
  if (decision === undefined) return { type: 'question_asked', data }
  return { type: 'decision_asked', data: { ...data, decision } }
}
