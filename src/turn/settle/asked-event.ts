import type { NewEvent } from '../../domain/events.ts'
import type { Request } from '../../domain/request.ts'

type AskedEvent = Extract<NewEvent, { type: `${string}_asked` | 'doom_loop_detected' }>

export function askedEvent(request: Request): AskedEvent {
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  if (request.kind === 'approval') {
    const { tool, input, binding: _, call: __, ...about } = request.payload
    const { who, needed } = request.decided
    const asked = { ...ids, tool_name: tool, tool_input: input, ...about, who, needed, votes: request.votes }
    return { type: 'permission_asked', data: { ...asked, deadline_at: deadlineOf(request) } }
  }
  const { decision, clarification, loop, ...question } = request.payload
  const data = { ...ids, ...question, deadline_at: deadlineOf(request) }
  if (loop) return { type: 'doom_loop_detected', data: { ...data, tool_name: loop.tool, times: loop.times } }
  if (decision) return { type: 'decision_asked', data: { ...data, decision } }
  if (clarification) return { type: 'clarification_asked', data: { ...data, category: clarification } }
  return { type: 'question_asked', data }
}

const deadlineOf = ({ deadlineAt }: Request): string | undefined =>
  deadlineAt === undefined ? undefined : new Date(deadlineAt).toISOString()
