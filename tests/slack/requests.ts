import type { CallId, RequestId, SessionId, TurnId } from '../../src/domain/ids.ts'
import type { Question, QuestionOption, Risk } from '../../src/domain/question.ts'
import type { Approval, ApprovalRequest, QuestionRequest, Request } from '../../src/domain/request.ts'
import type { Json } from '../../src/kit/json.ts'
import { type Bench, posting, threadOf } from './support.ts'

const common = {
  id: 'req_1' as RequestId,
  session: 'ses_1' as SessionId,
  turn: 'turn_1' as TurnId,
  call: 'call_1' as CallId,
  hash: 'h',
  state: 'pending' as const,
  askedAt: Date.now(),
  deadlineAt: undefined,
  remindAt: undefined,
  reminded: 0,
  votes: [],
  answeredBy: undefined,
  answeredAt: undefined,
}

export const approval = (
  input: Json = { command: 'rm -r build' },
  risk: Risk = 'high',
  more: Partial<Approval> = {},
): ApprovalRequest => ({
  ...common,
  kind: 'approval',
  payload: {
    tool: 'run_command',
    input,
    reason: 'the build is stale',
    risk,
    unclear: [],
    hosts: [],
    runs: [],
    call: '',
    binding: '',
    ...more,
  },
  decided: { decider: 'default', who: 'anyone', needed: 1 },
  answer: undefined,
})

export const question = (options: QuestionOption[], more: Partial<Question> = {}): QuestionRequest => ({
  ...common,
  kind: 'question',
  payload: { question: 'Which one?', options, multiple: false, required: true, ...more },
  answer: undefined,
})

export const options = (count: number): QuestionOption[] =>
  Array.from({ length: count }, (_, place) => ({ id: `o${place}`, label: `Option ${place}` }))

export const decided = (request: Request, what: object): Request =>
  ({
    ...request,
    state: 'answered',
    answeredBy: { id: 'U1', name: 'Ana' },
    answeredAt: 1_795_000_000_000,
    ...what,
  }) as Request

interface Table {
  bench: Bench
  ts: string
  card: string
  edit(request: Request): Promise<void>
}

/** Puts a request's card into a thread. */
export async function deal(bench: Bench, request: Request): Promise<Table> {
  const { server, platform, sink } = bench
  const ts = server.people.mention('ana', 'general', 'do it')
  await server.idle()
  const thread = threadOf(server, 'general', ts)
  sink.requests.set(request.id, request)
  const card = await platform.post(thread, platform.pages({ kind: 'card', request })[0], posting(`card.${request.id}`))
  return {
    bench,
    ts,
    card,
    async edit(changed) {
      sink.requests.set(changed.id, changed)
      await platform.edit(thread, card, platform.pages({ kind: 'card', request: changed })[0])
    },
  }
}

/** What only one person was told. */
export const whispers = ({ server }: Bench, who: string, ts: string) =>
  server
    .view('general', ts)
    .filter(({ ephemeralTo }) => ephemeralTo === server.user(who))
    .map(({ text }) => text)

/** Clicks, and waits for the form that opens. */
export async function openForm({ server }: Bench, who: string, card: string, button: string) {
  await server.people.click(who, card, button)
  return server.until(() => server.people.modal(who))
}
