import type { EventData, EventType, ToldEvent } from '../../src/domain/events.ts'
import type { CallId, MessageId, RequestId, TextId, TurnId } from '../../src/domain/ids.ts'
import { emptyThread, reduce, type Thread } from '../../src/platforms/console/public/thread.js'

type Step = { [Type in EventType]: [Type, EventData[Type]] }[EventType]

/** Numbers the steps from 1, or from `first`, except for streamed text, which has no number. */
export const history = (steps: Step[], first = 1): ToldEvent[] => {
  let next = first
  return steps.map(([type, data], index) => {
    const isLive = type === 'text_delta'
    // TypeScript no longer knows that the type and the data belong together.
    return {
      ...{ type, data },
      timestamp: new Date(1_700_000_000_000 + (first + index) * 1000).toISOString(),
      conversation_id: 'ses_1',
      ...(isLive ? {} : { event_id: next++ }),
    } as ToldEvent
  })
}

export const threadAfter = (events: ToldEvent[], thread: Thread = emptyThread): Thread => events.reduce(reduce, thread)

const turn_id: TurnId = 'turn_1'
const ana = { id: 'ana', name: 'Ana' }

export const said = (message_id: MessageId, text: string): Step => [
  'message',
  { message_id, role: 'user', text, files: [], person: ana },
]
export const started = (turn: TurnId = turn_id): Step => ['start', { turn_id: turn, reason: 'message' }]
export const streamed = (text_id: TextId, text: string): Step[] => [
  ['text_start', { turn_id, text_id }],
  ...text.split(/(?<= )/).map((delta): Step => ['text_delta', { turn_id, text_id, delta }]),
  ['text_end', { turn_id, text_id, text }],
]
export const acted = (call_id: CallId, tool_name: string, tool_input = {}): Step => [
  'act',
  { turn_id, call_id, tool_name, tool_input, attempt: 1 },
]
export const observed = (call_id: CallId, tool_name: string, status: EventData['observe']['status'] = 'done'): Step => [
  'observe',
  { turn_id, call_id, tool_name, status, result: 'a result', duration_ms: 12 },
]
export const completed = (content: string, turn: TurnId = turn_id): Step => [
  'complete',
  { turn_id: turn, content, files: [], steps: 1 },
]
export const posted = (message_id: MessageId, text: string, turn: TurnId = turn_id): Step => [
  'message',
  { message_id, role: 'assistant', text, files: [], turn_id: turn },
]
export const asked = (request_id: RequestId, call_id: CallId): Step => [
  'permission_asked',
  {
    turn_id,
    request_id,
    call_id,
    tool_name: 'edit_file',
    tool_input: { path: 'uploads/a.md' },
    reason: 'An upload changes.',
    risk: 'medium',
    unclear: [],
    hosts: [],
    runs: [],
    who: 'the people in this thread',
    needed: 1,
    votes: [],
  },
]
export const replied = (request_id: RequestId, call_id: CallId, decision: 'approve' | 'deny'): Step => [
  'permission_replied',
  { turn_id, request_id, call_id, decision, person: ana, by: 'person' },
]
export const questioned = (request_id: RequestId, call_id: CallId): Step => [
  'question_asked',
  {
    turn_id,
    request_id,
    call_id,
    question: 'Which colour?',
    options: [{ id: 'red', label: 'Red' }],
    multiple: false,
    required: true,
  },
]
export const answered = (request_id: RequestId, call_id: CallId): Step => [
  'question_answered',
  { turn_id, request_id, call_id, answer: 'Red', option_ids: ['red'], person: ana, by: 'person' },
]
export const waiting = (...request_ids: RequestId[]): Step => ['waiting', { turn_id, request_ids }]
