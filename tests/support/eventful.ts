import type { NewEvent } from '../../src/domain/events.ts'
import type { MessageId, TurnId } from '../../src/domain/ids.ts'

/** Events that can occur in a platform's thread, in order. */

const ana = { id: 'U1', name: 'Ana Novak' }
const ben = { id: 'U2', name: 'Ben Okri' }

const first = { turn_id: 'turn_1' } as const
const second = { turn_id: 'turn_2' } as const
const call = { call_id: 'call_1', tool_name: 'read_file' } as const

const said = (message_id: MessageId, text: string, person = ana): NewEvent => ({
  type: 'message',
  data: { message_id, role: 'user', text, files: [], person },
})

const posted = (message_id: MessageId, text: string, turn_id?: TurnId): NewEvent => ({
  type: 'message',
  data: { message_id, role: 'assistant', text, files: [], turn_id },
})

export const eventful: NewEvent[] = [
  said('msg_a', 'How did we sell in May?'),
  { type: 'start', data: { ...first, reason: 'message' } },
  { type: 'imported', data: { ...first, messages: 12 } },
  { type: 'act', data: { ...first, ...call, tool_input: { path: 'uploads/may.csv' }, attempt: 1 } },
  { type: 'observe', data: { ...first, ...call, status: 'done', result: 'ok', duration_ms: 12 } },
  said('msg_b', 'And in June? I mean the east.', ben),
  said('msg_c', 'My password is hunter2', ben),
  { type: 'text_end', data: { ...first, text_id: 'text_1', text: 'In May we sold **120**.' } },
  { type: 'said', data: { ...first, message_id: 'msg_d' } },
  posted('msg_d', 'In May we sold **120**.', 'turn_1'),
  { type: 'changed', data: { message_id: 'msg_b', text: 'And in June? I mean the west.', person: ben } },
  { type: 'changed', data: { message_id: 'msg_c', text: null, person: ben } },
  { type: 'complete', data: { ...first, content: 'In June we sold 80 in the west.', files: [], steps: 2 } },
  posted('msg_e', 'In June we sold 80 in the west.', 'turn_1'),
  { type: 'feedback', data: { message_id: 'msg_e', value: 'good', person: ana } },
  { type: 'feedback', data: { message_id: 'msg_e', value: 'bad', person: ben } },
  said('msg_f', '/reset'),
  { type: 'reset', data: { person: ana } },
  posted('msg_g', 'I’ve cleared the history of this thread.'),
  said('msg_h', 'Then start again.'),
  { type: 'start', data: { ...second, reason: 'message' } },
  { type: 'complete', data: { ...second, content: 'Gladly. What is it about?', files: [], steps: 1 } },
  {
    type: 'warning',
    data: { ...second, code: 'not_posted', message: 'This could not be posted in the thread: it is gone.' },
  },
]
