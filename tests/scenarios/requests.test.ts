import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../src/domain/events.ts'
import type { Clock } from '../../src/kit/clock.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const colours = ['Red', 'Blue', 'Dark green']

const asking = (input: object = {}, tool = 'ask_human') =>
  startTestBot({
    script: [calls(tool, { question: 'Which colour?', options: colours, ...input }), says('Thank you.')],
    config: { engine: { clockMs: 20 } },
  })

/** What the model read as the result of its question. */
const heard = (bot: TestBot): string => `${bot.model.requests.at(-1)?.messages.at(-1)?.content}`

async function onlyRequest(bot: TestBot) {
  const requests = await bot.chat.requests()
  expect(requests).toHaveLength(1)
  return requests[0] as (typeof requests)[number]
}

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; message: string; remedy: string } }
  return { status: response.status, ...error }
}

/** Every call of a finished thread has an observe, and an act unless it was denied; every request its reply. */
function expectPairs(events: SessionEvent[]): void {
  const observed = ofType(events, 'observe')
  expect(
    ofType(events, 'act')
      .map(({ data }) => data.call_id)
      .toSorted(),
  ).toEqual(observed.flatMap(({ data }) => (data.status === 'denied' ? [] : [data.call_id])).toSorted())
  for (const [asked, replied] of [
    ['permission_asked', 'permission_replied'],
    ['question_asked', 'question_answered'],
    ['decision_asked', 'decision_answered'],
    ['clarification_asked', 'clarification_answered'],
    ['doom_loop_detected', 'doom_loop_intervened'],
  ] as const) {
    const ids = (type: typeof asked | typeof replied) => ofType(events, type).map(({ data }) => data.request_id)
    expect(ids(replied).toSorted()).toEqual(ids(asked).toSorted())
  }
}

describe('a question', () => {
  test.each([
    ['by the id of an option', 'option_2', 'Blue', ['option_2']],
    ['by its label, however written', ' dark GREEN ', 'Dark green', ['option_3']],
    ['by its number', '1', 'Red', ['option_1']],
    ['by a number that there is none of', '4', '4', []],
    ['in words of one’s own', 'rather something light, please', 'rather something light, please', []],
    ['by a list of one', ['option_1'], 'Red', ['option_1']],
  ])('is answered %s', async (_, answer, text, ids) => {
    const bot = await asking()
    const said = await bot.chat.say('paint it', { user: 'ana' })
    const request = await onlyRequest(bot)
    expect(request).toMatchObject({ kind: 'question', status: 'pending', conversation_id: said.conversation })
    const response = await bot.chat.answer(request.id, { answer, user_id: 'ben' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      request: { id: request.id, status: 'answered', answer: { text, option_ids: ids }, answered_by: { id: 'ben' } },
    })
    await bot.chat.untilType(said.conversation, 'complete')
    expect(heard(bot)).toBe(`ben answered: ${text}`)
    expectPairs(await bot.chat.events(said.conversation))
  })

  test.each([
    ['a list of ids', ['option_1', 'option_3'], 'Red, Dark green', ['option_1', 'option_3']],
    ['numbers with commas', '1, 3', 'Red, Dark green', ['option_1', 'option_3']],
    ['ids and words', ['option_2', 'and a little gold'], 'Blue, and a little gold', ['option_2']],
    ['words with a comma', 'none of these, really', 'none of these, really', []],
  ])('with several choices takes %s', async (_, answer, text, ids) => {
    const bot = await asking({ multiple: true })
    const said = await bot.chat.say('paint it')
    await bot.chat.answer((await onlyRequest(bot)).id, { answer, user_id: 'ben' })
    const answered = await bot.chat.untilType(said.conversation, 'question_answered')
    expect(answered.data).toMatchObject({ answer: text, option_ids: ids, by: 'person' })
    await bot.chat.untilType(said.conversation, 'complete')
    expect(heard(bot)).toBe(`ben answered: ${text}`)
  })

  test('shows its options with all their details', async () => {
    const options = [
      { label: 'Now', description: 'At once', estimated_time: '2 minutes', estimated_cost: '$1', recommended: true },
      'Later',
    ]
    const bot = await asking({ options, context: 'It is late.', required: false })
    const said = await bot.chat.say('paint it')
    expect(ofType(said.events, 'question_asked')[0]?.data).toMatchObject({
      question: 'Which colour?',
      context: 'It is late.',
      required: false,
      multiple: false,
      options: [
        { id: 'option_1', label: 'Now', estimated_time: '2 minutes', estimated_cost: '$1', recommended: true },
        { id: 'option_2', label: 'Later' },
      ],
    })
    expect(await onlyRequest(bot)).toMatchObject({ question: 'Which colour?' })
  })

  test('may be declined', async () => {
    const bot = await asking()
    const said = await bot.chat.say('paint it')
    const request = await onlyRequest(bot)
    expect((await bot.chat.answer(request.id, { declined: true, user_id: 'ben' })).status).toBe(200)
    await bot.chat.untilType(said.conversation, 'complete')
    expect(heard(bot)).toBe('ben declined to answer.')
    const events = await bot.chat.events(said.conversation)
    expect(ofType(events, 'question_answered')[0]?.data).toMatchObject({ declined: true, option_ids: [] })
    expectPairs(events)
  })

  test('is answered by a file with words in the thread, and the file is read', async () => {
    const bot = await asking()
    const { conversation } = await bot.chat.say('paint it')
    const reply = await bot.chat.say('as in here', { conversation, user: 'ben', files: { 'colours.txt': 'mauve' } })
    expect(reply.text).toBe('Thank you.')
    const texts = bot.model.requests.at(-1)?.messages.map(({ content }) => `${content}`) ?? []
    expect(texts.find((text) => text.startsWith('ben answered: as in here'))).toBeDefined()
    expect(texts.at(-1)).toContain('uploads/colours.txt')
  })

  test.each([
    ['nothing', {}],
    ['an empty answer', { answer: '' }],
    ['a blank answer', { answer: ' ' }],
    ['an empty list', { answer: [] }],
    ['a number', { answer: 1 }],
    ['a verdict', { decision: 'approve' }],
    ['declined: false', { declined: false }],
    ['a hostile user', { answer: 'Red', user_id: 'a\nb' }],
  ])('is not answered by %s', async (_, body) => {
    const bot = await asking()
    await bot.chat.say('paint it')
    const request = await onlyRequest(bot)
    const error = await errorOf(await bot.chat.answer(request.id, body))
    expect(error).toMatchObject({ status: 400, remedy: expect.stringMatching(/./) })
    expect(await bot.chat.requests()).toHaveLength(1)
  })
})

/** A clock that goes as the real one does, and can be set forward. */
function settableClock(): Clock & { ahead: number } {
  return {
    ahead: 0,
    now() {
      return Date.now() + this.ahead
    },
  }
}

describe('a deadline', () => {
  const minute = 60_000

  async function askingUntil(input: object, tool = 'ask_human') {
    const clock = settableClock()
    const question = { question: 'Which colour?', options: colours, ...input }
    const bot = await startTestBot({
      clock,
      script: [calls(tool, question), says('Thank you.')],
      config: { engine: { clockMs: 20 } },
    })
    const { conversation } = await bot.chat.say('paint it')
    return { bot, clock, conversation }
  }

  test('takes the given default once it has passed', async () => {
    const { bot, clock, conversation } = await askingUntil({ default: 'Blue', timeout_ms: 10 * minute })
    const asked = ofType(await bot.chat.events(conversation), 'question_asked')[0]
    expect(Date.parse(asked?.data.deadline_at ?? '') - Date.parse(asked?.timestamp ?? '')).toBe(10 * minute)

    clock.ahead = 5 * minute
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await bot.chat.requests()).toHaveLength(1)

    clock.ahead = 11 * minute
    const answered = await bot.chat.untilType(conversation, 'question_answered')
    expect(answered.data).toMatchObject({ answer: 'Blue', option_ids: ['option_2'], by: 'deadline' })
    expect(answered.data).not.toHaveProperty('person')
    await bot.chat.untilType(conversation, 'complete')
    expect(heard(bot)).toBe('Nobody answered in time, so the default was taken: Blue')
    const late = await bot.chat.answer(asked?.data.request_id ?? '', { answer: 'Red' })
    expect(await errorOf(late)).toMatchObject({
      status: 409,
      code: 'already_answered',
      message: expect.stringMatching(/deadline/),
    })
    expectPairs(await bot.chat.events(conversation))
  })

  test('that passed while the bot was down is taken a minute after the start', async () => {
    const { bot, clock, conversation } = await askingUntil({ default: 'something light', timeout_ms: 10 * minute })
    await bot.stop()
    clock.ahead = 60 * minute
    await bot.restart()
    expect(await onlyRequest(bot)).toMatchObject({ status: 'pending' })
    clock.ahead = 62 * minute
    await bot.chat.untilType(conversation, 'complete')
    expect(heard(bot)).toContain('the default was taken: something light')
  })

  test.each([
    ['a question with a deadline and no default', 'ask_human', { timeout_ms: 1000 }],
    ['a decision without a default', 'ask_decision', {}],
  ])('does nothing for %s', async (_, tool, input) => {
    const { bot, clock, conversation } = await askingUntil(input, tool)
    expect(await onlyRequest(bot)).toMatchObject({ deadline_at: null })
    clock.ahead = 24 * 60 * minute
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await bot.chat.requests()).toHaveLength(1)
    expect((await bot.chat.say('Red', { conversation })).text).toBe('Thank you.')
  })

  test('lets an optional question go unanswered', async () => {
    const { bot, clock, conversation } = await askingUntil({ required: false, timeout_ms: 10 * minute })
    clock.ahead = 11 * minute
    await bot.chat.untilType(conversation, 'complete')
    expect(heard(bot)).toBe('Nobody answered in time. Continue without the answer.')
    expectPairs(await bot.chat.events(conversation))
  })

  test('of a decision is 300 seconds', async () => {
    const { bot } = await askingUntil({ default: 'Red' }, 'ask_decision')
    const { asked_at, deadline_at } = (await onlyRequest(bot)) as unknown as { asked_at: string; deadline_at: string }
    expect(Date.parse(deadline_at) - Date.parse(asked_at)).toBe(300_000)
  })
})

describe('a decision', () => {
  test('is asked and answered as one', async () => {
    const bot = await asking({ kind: 'risk' }, 'ask_decision')
    const said = await bot.chat.say('paint it')
    expect(ofType(said.events, 'decision_asked')[0]?.data).toMatchObject({
      decision: 'risk',
      question: 'Which colour?',
    })
    const request = await onlyRequest(bot)
    expect(request.kind).toBe('decision')
    await bot.chat.answer(request.id, { answer: 'option_1', user_id: 'ana' })
    await bot.chat.untilType(said.conversation, 'complete')
    const events = await bot.chat.events(said.conversation)
    expect(ofType(events, 'decision_answered')[0]?.data).toMatchObject({ answer: 'Red', option_ids: ['option_1'] })
    expectPairs(events)
  })

  test('needs options', async () => {
    const bot = await startTestBot({
      script: [calls('ask_decision', { question: 'What now?' }), says('Without, then.')],
    })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Without, then.')
    expect(ofType(said.events, 'observe')[0]?.data).toMatchObject({
      status: 'failed',
      result: expect.stringMatching(/options/),
    })
  })

  test('is answered by a reply in the thread', async () => {
    const bot = await asking({}, 'ask_decision')
    const { conversation } = await bot.chat.say('paint it')
    const reply = await bot.chat.say('2', { conversation, user: 'ben' })
    expect(reply.text).toBe('Thank you.')
    expect(ofType(reply.events, 'decision_answered')[0]?.data).toMatchObject({ answer: 'Blue', person: { id: 'ben' } })
  })
})

describe('a clarification', () => {
  const category = 'scope'

  test('is asked and answered as one', async () => {
    const bot = await asking({ category }, 'ask_clarification')
    const said = await bot.chat.say('paint it')
    expect(ofType(said.events, 'clarification_asked')[0]?.data).toMatchObject({ category, question: 'Which colour?' })
    await bot.chat.say('blue', { conversation: said.conversation, user: 'ben' })
    const events = await bot.chat.events(said.conversation)
    expect(ofType(events, 'clarification_answered')[0]?.data).toMatchObject({ answer: 'Blue', person: { id: 'ben' } })
    expect(events.filter(({ type }) => type.startsWith('question_'))).toEqual([])
    expectPairs(events)
  })

  test('that is withdrawn ends too', async () => {
    const bot = await asking({ category }, 'ask_clarification')
    const { conversation } = await bot.chat.say('paint it')
    await bot.chat.say('/stop', { conversation })
    expectPairs(await bot.chat.events(conversation))
  })
})

describe('an approval', () => {
  const change = { path: 'uploads/a.txt', content: 'changed' }
  const approving = () =>
    startTestBot({
      script: [calls('write_file', change), says('Changed.'), says('You said something meanwhile.')],
    })
  const started = async (bot: TestBot) => {
    const said = await bot.chat.say('change it', { user: 'ana', files: { 'a.txt': 'as it was' } })
    return { ...said, request: await onlyRequest(bot) }
  }
  const content = async (bot: TestBot, conversation: string) =>
    (await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/files/uploads/a.txt`)).text()

  test('shows tool, arguments, reason and risk, and waits', async () => {
    const bot = await approving()
    const { events, request, conversation } = await started(bot)
    expect(events.map(({ type }) => type)).toEqual(['message', 'start', 'permission_asked', 'waiting'])
    const [asked] = ofType(events, 'permission_asked')
    expect(asked?.data).toMatchObject({
      request_id: request.id,
      call_id: request.call_id,
      tool_name: 'write_file',
      tool_input: change,
      reason: 'Changes a file that a person uploaded.',
      risk: 'medium',
    })
    expect(ofType(events, 'waiting')[0]?.data.request_ids).toEqual([request.id])
    expect(await bot.chat.get(`/agent/conversations/${conversation}/execution-status`)).toMatchObject({
      state: 'waiting_permission',
    })
  })

  test('denied with a reason reaches the model in the person’s words', async () => {
    const bot = await approving()
    const { conversation, request } = await started(bot)
    await bot.chat.answer(request.id, { decision: 'deny', reason: 'use outputs/', user_id: 'ben' })
    await bot.chat.untilType(conversation, 'complete')
    expect(heard(bot)).toBe('Cancelled: ben denied this: use outputs/')
    expect(await content(bot, conversation)).toBe('as it was')
    expectPairs(await bot.chat.events(conversation))
  })

  test.each([
    ['nothing', {}],
    ['an answer to a question', { answer: 'yes' }],
    ['another verdict', { decision: 'maybe' }],
    ['a verdict in capitals', { decision: 'APPROVE' }],
    ['a reason that is no text', { decision: 'deny', reason: 7 }],
    ['a list', []],
  ])('is not given by %s', async (_, body) => {
    const bot = await approving()
    const { request } = await started(bot)
    const error = await errorOf(await bot.chat.answer(request.id, body as object as Record<string, unknown>))
    expect(error.status).toBe(400)
    expect(await bot.chat.requests()).toHaveLength(1)
  })

  test('that does not exist is 404, and broken JSON is 400', async () => {
    const bot = await approving()
    expect(await errorOf(await bot.chat.answer('req_none', { decision: 'approve' }))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    const { request } = await started(bot)
    const broken = await fetch(`${bot.chat.url}/api/v1/requests/${request.id}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"decision": "appr',
    })
    expect(await errorOf(broken)).toMatchObject({ status: 400, code: 'not_json' })
    expect(await errorOf(await bot.chat.post('/requests/nothing', {}))).toMatchObject({ status: 404 })
  })

  test('is not given by a reply in the thread: messages queue, and their sender is told', async () => {
    const bot = await approving()
    const { conversation, request } = await started(bot)
    const queued = await bot.chat.say('yes, approve', { conversation, user: 'mallory' })
    expect(queued.events.map(({ type }) => type)).toEqual(['message', 'waiting'])
    expect(queued.events[1]?.data).toMatchObject({ request_ids: [request.id], queued: true })
    expect(await bot.chat.requests()).toHaveLength(1)
    expect(bot.model.requests).toHaveLength(1)

    await bot.chat.answer(request.id, { decision: 'approve', user_id: 'ana' })
    await bot.chat.untilType(conversation, 'complete')
    expect(await content(bot, conversation)).toBe('changed')
    const read = bot.model.requests[1]?.messages.slice(-2)
    expect(read).toMatchObject([{ role: 'tool' }, { role: 'user', content: '[mallory] yes, approve' }])
    expectPairs(await bot.chat.events(conversation))
  })

  test('clicked twice at the same instant is taken once', async () => {
    const bot = await approving()
    const { conversation, request } = await started(bot)
    const clicks = await Promise.all([
      ...['ana', 'ben', 'cem'].map((user_id) => bot.chat.answer(request.id, { decision: 'approve', user_id })),
      ...['dora', 'emil'].map((user_id) => bot.chat.answer(request.id, { decision: 'deny', user_id })),
    ])
    expect(clicks.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    for (const click of clicks.filter(({ status }) => status === 409)) {
      expect(await errorOf(click)).toMatchObject({
        code: 'already_answered',
        message: expect.stringMatching(/was first/),
        remedy: expect.stringMatching(/./),
      })
    }
    await bot.chat.untilType(conversation, 'complete')
    const events = await bot.chat.events(conversation)
    expect(ofType(events, 'permission_replied')).toHaveLength(1)
    expect(ofType(events, 'observe')).toHaveLength(1)
    expectPairs(events)
  })

  test('holds for one call only: another one asks again', async () => {
    const bot = await startTestBot({
      script: [calls('write_file', change), calls('write_file', { ...change, content: 'twice' }), says('Twice.')],
    })
    const { conversation, request } = await started(bot)
    await bot.chat.answer(request.id, { decision: 'approve' })
    await bot.chat.until(
      conversation,
      ({ type, data }) => type === 'permission_asked' && data.request_id !== request.id,
    )
    await eventually(async () => expect(await content(bot, conversation)).toBe('changed'))
    expect(await onlyRequest(bot)).toMatchObject({ tool_input: { content: 'twice' } })
  })

  test.each(['./uploads/a.txt', 'uploads//a.txt', 'uploads/./a.txt'])(
    'is asked however the path is written: %s',
    async (path) => {
      const bot = await startTestBot({ script: [calls('write_file', { path, content: 'x' }), says('Changed.')] })
      const { request, conversation } = await started(bot)
      expect(request).toMatchObject({ tool_input: { path } })
      expect(await content(bot, conversation)).toBe('as it was')
    },
  )

  test('nobody is asked about what a rule forbids, and the model is told so', async () => {
    const bot = await startTestBot({
      script: [calls('write_file', { path: 'outputs/a.txt', content: 'x' }), says('I see.')],
      config: {
        rules: {
          tools: { write_file: { approvals: true, deny: ['*'], risk: 'high', reason: 'Nobody writes here.' } },
        },
      },
    })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('I see.')
    expect(ofType(said.events, 'observe')[0]?.data).toMatchObject({
      status: 'denied',
      result: 'Forbidden by rule: Nobody writes here.',
    })
    expect(ofType(said.events, 'act')).toEqual([])
  })
})

describe('several requests in one step', () => {
  const step = calls(
    'write_file',
    { path: 'uploads/a.txt', content: 'A' },
    ['write_file', { path: 'uploads/b.txt', content: 'B' }],
    ['ask_human', { question: 'And the colour?', options: colours }],
    ['now', {}],
  )

  test('wait together; each answer is taken as it comes; the turn continues after the last', async () => {
    const bot = await startTestBot({ script: [step, says('All of it.')] })
    const said = await bot.chat.say('go', { files: { 'a.txt': 'a', 'b.txt': 'b' } })
    const { conversation } = said
    const waiting = await bot.chat.requests()
    expect(waiting.map(({ kind }) => kind).toSorted()).toEqual(['approval', 'approval', 'question'])
    expect(ofType(said.events, 'waiting')[0]?.data.request_ids.toSorted()).toEqual(
      waiting.map(({ id }) => id).toSorted(),
    )

    const byPath = (path: string) =>
      waiting.find(({ tool_input }) => JSON.stringify(tool_input ?? {}).includes(path))?.id ?? ''
    await bot.chat.answer(byPath('a.txt'), { decision: 'deny', user_id: 'ana' })
    await bot.restart()
    expect(await bot.chat.requests()).toHaveLength(2)
    expect(bot.model.requests).toHaveLength(1)
    const replied = await bot.chat.say('blue', { conversation, user: 'ben' })
    expect(replied.events.at(-1)?.type).toBe('waiting')
    expect(await bot.chat.requests()).toHaveLength(1)
    await bot.chat.answer(byPath('b.txt'), { decision: 'approve', user_id: 'ana' })
    await bot.chat.untilType(conversation, 'complete')

    const results = bot.model.requests
      .at(-1)
      ?.messages.slice(-4)
      .map(({ content }) => `${content}`)
    expect(results?.[0]).toBe('Cancelled: ana denied this.')
    expect(results?.[1]).toMatch(/^Replaced "?uploads\/b\.txt/)
    expect(results?.[2]).toBe('ben answered: Blue')
    expectPairs(await bot.chat.events(conversation))
  })

  test('are all answered at the same moment', async () => {
    const bot = await startTestBot({ script: [step, says('All of it.')] })
    const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'a', 'b.txt': 'b' } })
    const answers = (await bot.chat.requests()).map(({ id, kind }) =>
      bot.chat.answer(id, kind === 'approval' ? { decision: 'approve' } : { answer: 'Red' }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
    await bot.chat.untilType(conversation, 'complete')
    const events = await bot.chat.events(conversation)
    expect(ofType(events, 'complete')).toHaveLength(1)
    expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done', 'done', 'done', 'done'])
    expectPairs(events)
  })
})

test('what waits is listed by age, what ended and all of it with the latest first, each page by page', async () => {
  const bot = await startTestBot({ script: () => calls('ask_human', { question: 'Which?' }) })
  const asked: string[] = []
  for (const text of ['one', 'two', 'three']) asked.push((await bot.chat.say(text)).conversation)
  const list = async (query: string) => {
    type Answer = { requests: { id: string; conversation_id: string }[]; next_cursor: string | null }
    const { requests, next_cursor } = await bot.chat.get<Answer>(`/requests?limit=2${query}`)
    return { requests, next_cursor, of: requests.map((one) => one.conversation_id) }
  }
  const both = async (query: string) => {
    const first = await list(query)
    expect(first.of).toHaveLength(2)
    const second = await list(`${query}&cursor=${first.next_cursor}`)
    expect(second.next_cursor).toBe(null)
    return [...first.of, ...second.of]
  }
  expect(await both('&status=pending')).toEqual(asked)
  const [one, two, three] = asked
  const { of, next_cursor } = await list('')
  for (const conversation of [two, one, three]) await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  // What ends while somebody pages through all of them keeps its place.
  expect([...of, ...(await list(`&cursor=${next_cursor}`)).of]).toEqual([three, two, one])
  expect(await both('')).toEqual([three, two, one])
  expect(await both('&status=cancelled')).toEqual([three, one, two])
  expect((await fetch(`${bot.chat.url}/api/v1/requests?cursor=2`)).status).toBe(400)
})

test('requests are listed by status and conversation', async () => {
  const bot = await startTestBot({ script: () => calls('ask_human', { question: 'Which?' }) })
  const first = await bot.chat.say('one')
  const second = await bot.chat.say('two')
  const list = (query: string) => bot.chat.get<{ requests: { conversation_id: string }[] }>(`/requests?${query}`)
  expect((await list('status=pending')).requests).toHaveLength(2)
  expect((await list(`conversation_id=${second.conversation}`)).requests).toMatchObject([
    { conversation_id: second.conversation },
  ])
  expect((await list('status=answered')).requests).toEqual([])
  expect((await list('limit=1')).requests).toHaveLength(1)
  await bot.chat.post(`/agent/conversations/${first.conversation}/stop`)
  expect((await list('status=cancelled')).requests).toMatchObject([{ conversation_id: first.conversation }])
  expect((await fetch(`${bot.chat.url}/api/v1/requests?status=lost`)).status).toBe(400)
})
