import type { NewEvent } from '../domain/events.ts'
import type { Request } from '../domain/request.ts'

type AskedEvent = Extract<NewEvent, { type: 'permission_asked' | 'question_asked' | 'decision_asked' }>

/** How screens are told of a request. */
export function askedEvent(request: Request): AskedEvent {
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  if (request.kind === 'approval') {
    const { tool, input, binding: _, call: __, ...about } = request.payload
    const { who, needed } = request.decided
    const asked = { ...ids, tool_name: tool, tool_input: input, ...about, who, needed, votes: request.votes }
    return { type: 'permission_asked', data: { ...asked, deadline_at: deadlineOf(request) } }
  }
  const { decision, ...question } = request.payload
  const data = { ...ids, ...question, deadline_at: deadlineOf(request) }
  if (decision === undefined) return { type: 'question_asked', data }
  return { type: 'decision_asked', data: { ...data, decision } }
}

const deadlineOf = ({ deadlineAt }: Request): string | undefined =>
  deadlineAt === undefined ? undefined : new Date(deadlineAt).toISOString()
