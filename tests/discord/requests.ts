import type { Question } from '../../src/domain/question.ts'
import type { Approval, ApprovalRequest, Request } from '../../src/domain/request.ts'

const common = {
  id: 'req_0123456789abcdefghjkm',
  session: 'ses_1',
  turn: 'turn_1',
  call: 'call_1',
  hash: 'h',
  state: 'pending',
  askedAt: 1_700_000_000_000,
  deadlineAt: undefined,
  remindAt: undefined,
  reminded: 0,
  votes: [],
  answeredBy: undefined,
  answeredAt: undefined,
} as const

export const approval = (payload: Partial<Approval> = {}, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  ...common,
  votes: [],
  kind: 'approval',
  decided: { decider: 'default', who: 'the operator', needed: 1 },
  payload: {
    tool: 'run_command',
    input: { command: 'rm -r build' },
    reason: 'It removes files.',
    risk: 'high',
    unclear: [],
    hosts: [],
    runs: [],
    call: '',
    binding: '',
    ...payload,
  },
  answer: undefined,
  ...more,
})

export const question = (
  payload: Partial<Question> = {},
  more: Partial<Request> = {},
): Request & { kind: 'question' } =>
  ({
    ...common,
    kind: 'question',
    payload: {
      question: 'Which colour?',
      options: [
        { id: 'red', label: 'Red', description: 'like fire', estimated_time: '1 minute', recommended: true },
        { id: 'blue', label: 'Blue' },
      ],
      multiple: false,
      required: true,
      ...payload,
    },
    answer: undefined,
    ...more,
  }) as Request & { kind: 'question' }

export const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `option ${index}`, label: `Label ${index}` }))
