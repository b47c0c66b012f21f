import { describe, expect, test } from 'vitest'
import { BobbinError } from '../../src/domain/errors.ts'
import type { CallId, RequestId, SessionId, TurnId } from '../../src/domain/ids.ts'
import type { Question, QuestionOption, Risk } from '../../src/domain/question.ts'
import type { Request } from '../../src/domain/request.ts'
import { type Bench, openBench, posting, threadOf } from './support.ts'

const common = {
  id: 'req_1' as RequestId,
  session: 'ses_1' as SessionId,
  turn: 'turn_1' as TurnId,
  call: 'call_1' as CallId,
  hash: 'h',
  state: 'pending' as const,
  askedAt: Date.now(),
  deadlineAt: undefined,
  answeredBy: undefined,
  answeredAt: undefined,
}

const approval = (input: unknown = { command: 'rm -r build' }, risk: Risk = 'high'): Request => ({
  ...common,
  kind: 'approval',
  payload: { tool: 'run_command', input: input as never, reason: 'the build is stale', risk },
  answer: undefined,
})

const question = (options: QuestionOption[], more: Partial<Question> = {}): Request => ({
  ...common,
  kind: 'question',
  payload: { question: 'Which one?', options, multiple: false, required: true, ...more },
  answer: undefined,
})

const options = (count: number): QuestionOption[] =>
  Array.from({ length: count }, (_, place) => ({ id: `o${place}`, label: `Option ${place}` }))

const decided = (request: Request, what: Partial<Request>): Request =>
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

async function deal(bench: Bench, request: Request): Promise<Table> {
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

const whispers = ({ server }: Bench, who: string, ts: string) =>
  server
    .view('general', ts)
    .filter(({ ephemeralTo }) => ephemeralTo === server.user(who))
    .map(({ text }) => text)

describe.each([{ http: false }, { http: true }])('an approval (%o)', ({ http }) => {
  test.each([
    ['Approve', { decision: 'approve' }],
    ['Deny', { decision: 'deny' }],
  ])('is given by %s', async (label, answer) => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card, ts } = await deal(bench, request)
    expect(server.message(card).text).toBe(
      'May I use run_command?\n{\n  "command": "rm -r build"\n}\nHigh risk the build is stale\n[Approve] [Deny] [Deny and say why…]',
    )
    expect(await server.people.click('ben', card, label)).toMatchObject({ acked: true })
    expect(sink.answers).toEqual([{ id: 'req_1', given: { kind: 'approval', answer }, by: server.user('ben') }])
    expect(whispers(bench, 'ben', ts)).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('is denied with words from a form', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'Deny and say why…')
    const modal = await server.until(() => server.people.modal('ana'))
    expect(modal.title).toBe('Deny')
    expect(await server.people.submit('ana', modal.id, { words: 'keep it' })).toMatchObject({
      acked: true,
      closed: true,
    })
    expect(sink.answers).toEqual([
      {
        id: 'req_1',
        given: { kind: 'approval', answer: { decision: 'deny', reason: 'keep it' } },
        by: server.user('ana'),
      },
    ])
    expect(server.violations).toEqual([])
  })

  test('that came too late says so beside the words', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({
      kind: 'too-late',
      request: decided(request, { answer: { decision: 'approve' } } as Partial<Request>),
    })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'Deny and say why…')
    const modal = await server.until(() => server.people.modal('ana'))
    const submitted = await server.people.submit('ana', modal.id, { words: 'keep it' })
    expect(submitted).toMatchObject({ closed: false, errors: { words: 'That came too late. Approved by Ana' } })
    expect(server.violations).toEqual([])
  })

  test('is not acknowledged when it could not be stored', async () => {
    await using bench = await openBench({ http, ackMs: 300 })
    const { server, sink } = bench
    sink.onAnswer = async () => {
      throw new Error('the disk is full')
    }
    const { card } = await deal(bench, approval())
    expect(await server.people.click('ana', card, 'Approve')).toMatchObject({ acked: false })
  })
})

describe('an approval', () => {
  test('shows who decided what and when, and has no buttons any more', async () => {
    await using bench = await openBench()
    const { server } = bench
    const request = approval()
    const { card, edit } = await deal(bench, request)
    await edit(decided(request, { answer: { decision: 'deny', reason: 'not <!channel> today' } } as Partial<Request>))
    const shown = server.message(card)
    expect(shown.buttons).toEqual([])
    expect(shown.text).toContain('✗ Denied by Ana · ')
    expect(shown.text).toContain('not <!channel> today')
    expect(JSON.stringify(shown.blocks)).toContain('"timestamp":1795000000')
    expect(server.violations).toEqual([])
  })

  test('clicked twice, by two, on a card that is old, is answered once; the others are told', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = approval()
    const gone = decided(request, { answer: { decision: 'approve' } } as Partial<Request>)
    let first = true
    sink.onAnswer = async () => {
      if (!first) return { kind: 'too-late', request: gone }
      first = false
      return { kind: 'taken', request: gone }
    }
    const { card, ts, edit } = await deal(bench, request)
    await server.people.click('ana', card, 'Approve')
    await server.people.click('ana', card, 'Approve', { sameTrigger: true })
    await server.people.click('ben', card, 'Deny')
    await edit(gone)
    await server.people.click('cleo', card, 'Approve', { stale: true })
    await server.until(() => whispers(bench, 'cleo', ts).length > 0)
    expect(whispers(bench, 'ben', ts)).toEqual(['That came too late. Approved by Ana'])
    expect(sink.answers).toHaveLength(4)
    expect(server.violations).toEqual([])
  })

  test.each([
    [{ kind: 'not-allowed', reason: 'Only Ben may decide this.' } as const, 'Only Ben may decide this.'],
    [{ kind: 'not-found' } as const, 'This is not known any more: the conversation was reset or deleted.'],
  ])('of a stranger, or on a forgotten card, is refused to them alone (%o)', async (answered, words) => {
    await using bench = await openBench()
    const { server, sink } = bench
    sink.onAnswer = async () => answered
    const { card, ts } = await deal(bench, approval())
    await server.people.click('dan', card, 'Approve')
    await server.until(() => whispers(bench, 'dan', ts).length > 0)
    expect(whispers(bench, 'dan', ts)).toEqual([words])
  })

  test('whose form comes too late for Slack says so', async () => {
    await using bench = await openBench()
    const { server } = bench
    const { card, ts } = await deal(bench, approval())
    server.misbehave.refuse('views.open', 'expired_trigger_id')
    await server.people.click('ana', card, 'Deny and say why…')
    await server.until(() => whispers(bench, 'ana', ts).length > 0)
    expect(whispers(bench, 'ana', ts)[0]).toContain('That took too long.')
  })

  test('shows as much of a long input as fits, and how much is left', async () => {
    await using bench = await openBench()
    const { server } = bench
    const { card } = await deal(bench, approval({ content: `${'<!channel> & '.repeat(500)}end` }))
    expect(server.message(card).text).toMatch(/… and \d+ more characters/)
    expect(server.violations).toEqual([])
  })
})

describe('a question', () => {
  test('of few options is answered by a button', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(
      [
        { id: 'a', label: 'Fast', description: 'skips the tests', estimated_time: '2 minutes', estimated_cost: '$1' },
        { id: 'b', label: 'Safe', recommended: true },
      ],
      { context: 'There are two ways.', required: false, default: 'b' },
    )
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, { ...request, deadlineAt: Date.now() + 60_000 })
    const { text } = server.message(card)
    expect(text).toContain('Which one?\nThere are two ways.')
    expect(text).toContain('Fast · skips the tests · 2 minutes · $1')
    expect(text).toContain('“Safe” is taken')
    expect(text).toContain('[Fast] [Safe] [Something else…] [Skip]')
    await server.people.click('ana', card, 'Fast')
    await server.people.click('ben', card, 'Skip')
    expect(sink.answers.map(({ given }) => given)).toEqual([{ kind: 'question', answer: 'a' }, { kind: 'declined' }])
    expect(server.violations).toEqual([])
  })

  test('of many options is answered from a menu', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(120))
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'select', { value: 'o7' })
    expect(sink.answers).toMatchObject([{ id: 'req_1', given: { kind: 'question', answer: 'o7' } }])
    expect(server.violations).toEqual([])
  })

  test.each([4, 30])('with several answers out of %i is sent with a button', async (count) => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(count), { multiple: true })
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card, ts } = await deal(bench, request)
    await server.people.click('ana', card, 'Send')
    await server.until(() => whispers(bench, 'ana', ts).includes('Choose something first.'))
    await server.people.click('ana', card, 'tick', { value: ['o0', 'o2'] })
    expect(sink.answers).toEqual([])
    await server.people.click('ana', card, 'Send')
    expect(sink.answers).toMatchObject([{ id: 'req_1', given: { kind: 'question', answer: ['o0', 'o2'] } }])
    expect(server.violations).toEqual([])
  })

  test('takes other words from a form, and no empty ones', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(2))
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'Something else…')
    const modal = await server.until(() => server.people.modal('ana'))
    expect(await server.people.submit('ana', modal.id, { words: '   ' })).toMatchObject({
      closed: false,
      errors: { words: 'Please write something.' },
    })
    await server.people.submit('ana', modal.id, { words: 'Neither <@U1> & co.' })
    expect(sink.answers).toMatchObject([{ given: { kind: 'question', answer: 'Neither <@U1> & co.' } }])
    expect(server.violations).toEqual([])
  })

  test('that was decided opens no form', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(2))
    const { card, ts } = await deal(bench, request)
    const answer = { text: 'Option 1', option_ids: ['o1'], by: 'person' }
    sink.requests.set(request.id, decided(request, { answer } as Partial<Request>))
    await server.people.click('ben', card, 'Something else…')
    await server.until(() => whispers(bench, 'ben', ts).length > 0)
    expect(whispers(bench, 'ben', ts)).toEqual(['That came too late. Answered by Ana: Option 1'])
    expect(server.people.modal('ben')).toBeUndefined()
  })

  test.each([
    [{ state: 'cancelled', answeredBy: undefined }, '○ Not needed any more'],
    [
      { answer: { text: 'Option 1', option_ids: ['o1'], by: 'deadline' }, answeredBy: undefined },
      '○ Nobody answered in time',
    ],
    [{ answer: { text: '', option_ids: [], by: 'person', declined: true } }, '○ Skipped by Ana'],
    [{ answer: { text: 'Option 1', option_ids: ['o1'], by: 'person' } }, '✓ Answered by Ana'],
  ])('shows how it ended (%o)', async (end, words) => {
    await using bench = await openBench()
    const request = question(options(2))
    const { card, edit } = await deal(bench, request)
    await edit(decided(request, end as Partial<Request>))
    expect(bench.server.message(card).text).toContain(words)
    expect(bench.server.message(card).buttons).toEqual([])
    expect(bench.server.violations).toEqual([])
  })

  test('of hostile words rings nobody and breaks nothing', async () => {
    await using bench = await openBench()
    const { server } = bench
    const hostile = '<!channel> <@U0TESTBOT1> & *bold* `x` :tada: \u202e'
    const request = question([{ id: hostile, label: hostile, description: hostile.repeat(20) }, ...options(8)], {
      question: hostile.repeat(100),
      context: hostile.repeat(300),
      multiple: true,
    })
    const { card } = await deal(bench, request)
    expect(server.message(card).bot).toBe(true)
    const said = server.callsTo('chat.postMessage').at(-1)?.args.text
    expect(said).not.toContain('<!channel>')
    expect(server.violations).toEqual([])
  })
})

describe('an answer', () => {
  test('is judged by its buttons', async () => {
    await using bench = await openBench()
    const { server, sink, platform } = bench
    const ts = server.people.mention('ana', 'general', 'hi')
    const record = { turn: 't' as TurnId, segment: 0, state: 'done', parts: [], plan: [], startedAt: 0 } as const
    const [page] = platform.pages({
      kind: 'answer',
      text: 'good',
      files: [],
      record: { ...record, parts: [], plan: [], notices: [] },
    })
    const id = await platform.post(threadOf(server, 'general', ts), page, posting('k'))
    await server.people.click('ben', id, 'Bad')
    expect(sink.feedbacks).toMatchObject([{ message: id, value: 'bad', thread: { thread: ts } }])
    expect(server.violations).toEqual([])
  })
})

describe.each([{ http: false }, { http: true }])('a slash command (%o)', ({ http }) => {
  test('about the channel is carried out, and answered to who gave it', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onCommand = async ({ name, argument }) => `${name} ${argument}`
    expect(await server.people.slash('ana', '/bobbin', ' why  https://x.example/1 ', 'general')).toMatchObject({
      acked: true,
      answer: { response_type: 'ephemeral', text: 'why https://x.example/1' },
    })
    expect(sink.commands).toMatchObject([
      {
        name: 'why',
        argument: 'https://x.example/1',
        thread: undefined,
        project: server.channel('general'),
        person: { name: 'ana' },
      },
    ])
    expect(server.violations).toEqual([])
  })

  test('without words asks for help; one about a thread is left to the core as well', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onCommand = async ({ name }) => `- \`${name}\``
    expect(await server.people.slash('ana', '/bobbin', '', 'general')).toMatchObject({ answer: { text: '- `help`' } })
    await server.people.slash('ana', '/bobbin', 'STATUS now', 'general')
    expect(sink.commands).toMatchObject([{ name: 'help' }, { name: 'status', argument: 'now', thread: undefined }])
    expect(server.violations).toEqual([])
  })

  test('that fails for a reason says the reason', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onCommand = async () => {
      throw new BobbinError('unknown', 'There is no such thing.', 'Ask for help.')
    }
    const { answer } = await server.people.slash('ana', '/bobbin', 'why', 'general')
    expect(answer).toMatchObject({ text: 'There is no such thing. Ask for help.' })
  })
})

test('a slow slash command is acknowledged in time and answered afterwards', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const { promise, resolve } = Promise.withResolvers<string>()
  sink.onCommand = () => promise
  expect(await server.people.slash('ana', '/bobbin', 'list', 'general')).toMatchObject({ acked: true })
  resolve('Here they are.')
  await server.until(() => server.view('general').some(({ text }) => text === 'Here they are.'))
  expect(server.violations).toEqual([])
})
