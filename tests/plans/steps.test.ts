import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { long, requestsOf, resultsIn } from '../delegation/support.ts'
import { botWith, unruly } from '../mcp/support.ts'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, heldUntil, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { eventually } from '../support/until.ts'
import { aboutIn, lastResults, makes, planning, step, tasksOf } from './support.ts'

const minutes = 60_000

/** A bot whose clock can be put forward. */
async function withClock(script: ReturnType<typeof planning>, config: TestBotOptions['config'] = {}) {
  let [passed, suspended] = [0, 0]
  const machine = { now: () => Date.now() + suspended }
  const bot = await startTestBot({ script, config, clock: { now: () => Date.now() + passed }, machine })
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  stream.text().catch(() => {})
  const pass = (ms: number) => {
    passed += ms
  }
  const suspend = (ms: number) => {
    pass(ms)
    suspended += ms
  }
  return { bot, conversation, pass, suspend }
}

test('a step that takes too long is given up and tried again, and the plan goes on', async () => {
  let attempts = 0
  const script = planning([makes([step('slow'), step('next', { after: [1] })]), says('Put together.')], (about) =>
    about === 'slow' && ++attempts === 1 ? hang() : says(long(`Result of ${about}.`)),
  )
  const { bot, conversation, pass } = await withClock(script)
  await eventually(() => expect(tasksOf(bot)).toHaveLength(1))
  pass(21 * minutes)
  const { data } = await bot.chat.untilType(conversation, 'complete')
  expect(data).toMatchObject({ content: 'Put together.' })
  expect(bot.model.givenUp).toHaveLength(1)
  expect(rowsIn(bot.database, 'select status, attempt from plan_steps order by number')).toEqual([
    { status: 'completed', attempt: 2 },
    { status: 'completed', attempt: 1 },
  ])
  const ends = ofType(await bot.chat.events(conversation), 'step_end').map((end) => end.data)
  expect(ends).toMatchObject([
    { step: 1, attempt: 1, status: 'timeout' },
    { step: 1, attempt: 2, status: 'completed' },
    { step: 2, attempt: 1, status: 'completed' },
  ])
})

test('a new attempt is told what the earlier one did', async () => {
  let attempts = 0
  const written = calls('write_file', { path: 'temp/sent.txt', content: 'to Ana' })
  const script = planning([makes([step('send')]), says('Put together.')], (_, body) => {
    const isNew = !body.messages.some(({ role }) => role === 'tool')
    if (isNew && ++attempts > 1) return says(long('Ana had it already.'))
    return isNew ? written : hang()
  })
  const { bot, conversation, pass } = await withClock(script)
  await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(2))
  pass(21 * minutes)
  await bot.chat.untilType(conversation, 'complete')
  const [first, , second] = tasksOf(bot)
  expect(first).not.toContain('earlier attempt')
  expect(second).toContain('- write_file {"path":"temp/sent.txt","content":"to Ana"}')
})

test('a new attempt is told what the earlier one did with a tool that is gone since', async () => {
  const { server, folder } = await unruly()
  let attempts = 0
  const script = planning([makes([step('send')]), says('Put together.')], (_, body) => {
    const isNew = !body.messages.some(({ role }) => role === 'tool')
    if (isNew && ++attempts > 1) return says(long('Ana had it already.'))
    return isNew ? calls('mcp__x__echo', { text: 'to Ana' }) : hang()
  })
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const bot = await botWith({ x: server }, { script, config: { rules: { approvals: false } }, clock })
  const stream = await bot.chat.send('go')
  stream.text().catch(() => {})
  await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(2))
  await writeFile(`${folder}/away`, 'yes')
  expect((await bot.chat.post('/mcp/servers/x/test')).status).toBe(200)
  passed = 21 * minutes
  await bot.chat.untilType(stream.headers.get('x-conversation-id') ?? '', 'complete')
  expect(tasksOf(bot).at(-1)).toContain('- mcp__x__echo {"text":"to Ana"}')
})

test.each([
  ['try_again', 'failed'],
  ['go_round', 'fallback'],
] as const)('a step that a person stops is not tried again: with %s it counts as %s', async (if_it_fails, status) => {
  const script = planning([makes([step('slow', { if_it_fails })]), says('It was stopped.')], () => hang())
  const { bot, conversation } = await withClock(script)
  await eventually(() => expect(tasksOf(bot)).toHaveLength(1))
  const [child] = rowsIn<{ id: string }>(bot.database, 'select id from sessions where parent is not null')
  expect((await bot.chat.post(`/agent/conversations/${child?.id}/stop`)).status).toBe(200)
  const { data } = await bot.chat.untilType(conversation, 'complete')
  expect(data).toMatchObject({ content: 'It was stopped.' })
  expect(tasksOf(bot)).toHaveLength(1)
  expect(rowsIn(bot.database, 'select status, attempt from plan_steps where number = 1')).toEqual([
    { status, attempt: 1 },
  ])
})

test('a step that waits for people has as long as they take', async () => {
  const script = planning([makes([step('ask')]), says('Put together.')], (_, body) =>
    body.messages.some(({ role }) => role === 'tool')
      ? says(long('They said.'))
      : calls('ask_human', { question: 'Which one?' }),
  )
  const { bot, conversation, pass } = await withClock(script)
  await eventually(async () => expect(await bot.chat.requests()).toHaveLength(1))
  pass(21 * minutes)
  // It was looked at, and will be again.
  const looked = "select count(*) as count from jobs where kind = 'plan_step_overdue' and epoch > 0 and holder is null"
  await eventually(() => expect(rowsIn(bot.database, looked)).toEqual([{ count: 1 }]))
  const [request] = await bot.chat.requests()
  expect((await bot.chat.answer(request?.id ?? '', { answer: 'the second', user_id: 'ana' })).status).toBe(200)
  await bot.chat.untilType(conversation, 'complete')
  expect(rowsIn(bot.database, 'select status, attempt from plan_steps')).toEqual([{ status: 'completed', attempt: 1 }])
})

test('the time in which no process ran is none of a step’s own', async () => {
  let isHeld = true
  const script = planning([makes([step('slow')]), says('Put together.')], () => (isHeld ? hang() : says(long('Done.'))))
  const { bot, conversation, pass } = await withClock(script)
  await eventually(() => expect(tasksOf(bot)).toHaveLength(1))
  await bot.stop()
  isHeld = false
  pass(21 * minutes)
  await bot.restart()
  await bot.chat.untilType(conversation, 'complete')
  expect(rowsIn(bot.database, 'select status, attempt from plan_steps')).toEqual([{ status: 'completed', attempt: 1 }])
})

test('the time in which the machine was suspended is none of a step’s own', async () => {
  const awake = Promise.withResolvers<void>()
  const script = planning([makes([step('slow')]), says('Put together.')], () =>
    heldUntil(awake.promise, says(long('Done.'))),
  )
  const { bot, conversation, suspend } = await withClock(script)
  await eventually(() => expect(tasksOf(bot)).toHaveLength(1))
  suspend(21 * minutes)
  const untouched = "select id from jobs where kind = 'plan_step_overdue' and (epoch = 0 or holder is not null)"
  await eventually(() => expect(rowsIn(bot.database, untouched)).toEqual([]))
  awake.resolve()
  await bot.chat.untilType(conversation, 'complete')
  expect(rowsIn(bot.database, 'select status, attempt from plan_steps')).toEqual([{ status: 'completed', attempt: 1 }])
})

test('a step whose subagent hasn’t begun yet isn’t given up', async () => {
  let attempts = 0
  const script = planning([makes([step('first'), step('second')]), says('Put together.')], () =>
    ++attempts === 1 ? hang() : says(long('Done.')),
  )
  const { bot, conversation, pass } = await withClock(script, { engine: { turnsAtOnce: 1 } })
  await eventually(() => {
    expect(rowsIn(bot.database, 'select id from sessions where parent is not null')).toHaveLength(2)
    expect(tasksOf(bot)).toHaveLength(1)
  })
  pass(21 * minutes)
  await bot.chat.untilType(conversation, 'complete')
  const tried = rowsIn(bot.database, 'select attempt, status from plan_steps order by attempt')
  expect(tried).toEqual([
    { attempt: 1, status: 'completed' },
    { attempt: 2, status: 'completed' },
  ])
})

test('a step has the prompt and the tools of its agent, and the skills that it names', async () => {
  const script = planning(
    [makes([step('look', { agent: 'explorer' }), step('merge', { skills: ['pdf'] })]), says('Put together.')],
    (about) => says(long(`Result of ${about}.`)),
  )
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('go')).text).toBe('Put together.')
  const bodies = requestsOf(bot.model.requests, 'child')
  const of = (about: string) => bodies.find((body) => aboutIn(body) === about)
  const toolsOf = (about: string) => (of(about)?.tools ?? []).map((tool) => tool.function.name)
  expect(JSON.stringify(of('look')?.messages)).toContain('Finds out where things are in files')
  expect(toolsOf('look')).toContain('read_file')
  expect(toolsOf('look')).not.toContain('write_file')
  expect(toolsOf('merge')).toContain('write_file')
  // A subagent neither delegates nor plans.
  expect(JSON.stringify(of('merge')?.messages)).not.toMatch(/delegate_task|make_plan|plan_enter/)
  expect(JSON.stringify(of('merge')?.messages)).toContain('# Skill pdf')
  expect(JSON.stringify(of('look')?.messages)).not.toContain('# Skill pdf')
})

test('the time in which people were waited for is none of a step’s own', async () => {
  const script = planning([makes([step('ask', { if_it_fails: 'go_round' })]), says('Put together.')], (_, body) =>
    body.messages.some(({ role }) => role === 'tool') ? hang() : calls('ask_human', { question: 'Which one?' }),
  )
  const { bot, conversation, pass } = await withClock(script)
  const looked = (times: number) =>
    eventually(() =>
      expect(
        rowsIn(
          bot.database,
          `select epoch >= ${times} and holder is null as looked from jobs
          where kind = 'plan_step_overdue'`,
        ),
      ).toEqual([{ looked: 1 }]),
    )
  await eventually(async () => expect(await bot.chat.requests()).toHaveLength(1))
  pass(21 * minutes)
  await looked(1)
  const [request] = await bot.chat.requests()
  await bot.chat.answer(request?.id ?? '', { answer: 'the second', user_id: 'ana' })
  await eventually(() => expect(tasksOf(bot)).toHaveLength(2))
  pass(2 * minutes)
  await looked(2)
  expect(rowsIn(bot.database, 'select status from plan_steps')).toEqual([{ status: 'in_progress' }])
  pass(19 * minutes)
  await bot.chat.untilType(conversation, 'complete')
  expect(lastResults(bot).at(-1)).toContain('It took longer than 20 minutes.')
})

test('a step whose agent is gone fails, and isn’t done with the tools that the agent lacks', async () => {
  const script = planning(
    [makes([step('look', { agent: 'explorer' })], { confidence: 10 }), says('Put together.')],
    () => says(long('Done.')),
  )
  let passed = 0
  const bot = await startTestBot({ script, clock: { now: () => Date.now() + passed } })
  const { conversation } = await bot.chat.say('go')
  await fetch(`${bot.chat.url}/api/v1/agents/explorer/disable`, { method: 'POST' })
  const [request] = await bot.chat.requests()
  await bot.chat.answer(request?.id ?? '', { answer: 'run', user_id: 'ana' })
  await bot.chat.untilType(conversation, 'complete')
  expect(tasksOf(bot)).toEqual([])
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('There is no agent called explorer.')
  expect(rowsIn(bot.database, 'select status, attempt from plan_steps')).toEqual([{ status: 'failed', attempt: 2 }])
  // Nor is its time limit looked at for ever.
  passed += 21 * minutes
  await eventually(() =>
    expect(rowsIn(bot.database, "select id from jobs where kind = 'plan_step_overdue'")).toEqual([]),
  )
})

test('a step gets only skills that the model may load and its agent uses, and people see which', async () => {
  const withSkill = (skill: string, more: object = {}) =>
    makes([step('merge', { skills: [skill], ...more })], { confidence: 10 })
  const script = planning(
    [
      withSkill('docx'),
      withSkill('pfd'),
      withSkill('pdf', { agent: 'clerk' }),
      withSkill('pdf'),
      says('Put together.'),
    ],
    () => says(long('Done.')),
  )
  const agents = { clerk: { description: 'Keeps papers.', prompt: 'Keep papers.', skills: ['xlsx'] } }
  const bot = await startTestBot({ script, config: { sections: { agents: { agents } } } })
  const off = (skill: string) => fetch(`${bot.chat.url}/api/v1/skills/${skill}/disable`, { method: 'POST' })
  await off('docx')
  const { conversation } = await bot.chat.say('go')
  expect(resultsIn(bot.model.requests.at(-1)).slice(0, 3)).toEqual([
    expect.stringContaining('There is no skill "docx" here.'),
    expect.stringContaining('There is no skill "pfd" here.'),
    expect.stringContaining('The agent clerk doesn’t use the skill pdf.'),
  ])
  const [request] = await bot.chat.requests()
  expect(request).toMatchObject({ context: expect.stringContaining('merge (with the skill pdf)') })
  await off('pdf')
  await bot.chat.answer(request?.id ?? '', { answer: 'run', user_id: 'ana' })
  await bot.chat.untilType(conversation, 'complete')
  expect(tasksOf(bot)).toEqual([])
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('There is no skill \\"pdf\\" here.')
})

test('no step of a plan begins when the budget is used up by then', async () => {
  const usage = { input: 100, output: 1_000, cached: 0 }
  const script = planning([{ ...makes([step('one'), step('two')]), usage }, says('Put together.')], () =>
    says(long('Done.')),
  )
  const bot = await startTestBot({
    script,
    environment: { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' },
    config: { budgets: { limits: [{ per: 'thread', usd: 0.01 }] } },
  })
  const said = await bot.chat.say('compare them')
  expect(said.text).toContain('I stopped here because the budget of $0.01 for this thread is used up.')
  // A subagent would be a session of its own.
  expect(rowsIn(bot.database, 'select count(*) as count from sessions')).toEqual([{ count: 1 }])
})

test('a step that the budget stops has failed, and those that need it don’t begin', async () => {
  const usage = { input: 100, output: 1_000, cached: 0 }
  const steps = [step('one'), step('two', { after: [1] }), step('three', { after: [2] })]
  const script = planning([{ ...makes(steps), usage }], (about) => ({ ...says(long(`Result of ${about}.`)), usage }))
  const bot = await startTestBot({
    script,
    environment: { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' },
    config: { budgets: { limits: [{ per: 'thread', usd: 0.02 }] } },
  })
  const { text } = await bot.chat.say('compare them')
  expect(text).toContain('I stopped here because the budget of $0.02 for this thread is used up.')
  expect(tasksOf(bot)).toHaveLength(1)
  const ended = 'select status, attempt from plan_steps order by number'
  expect(rowsIn(bot.database, ended)).toEqual([
    { status: 'completed', attempt: 1 },
    { status: 'failed', attempt: 1 },
    { status: 'failed', attempt: 0 },
  ])
  expect(rowsIn(bot.database, 'select status from plans')).toEqual([{ status: 'failed' }])
  const [, second] = rowsIn(bot.database, "select result from calls where tool = 'plan_step' order by place")
  expect(second?.result).toMatch(/^Error: subagent-\w+ was stopped after 1 step\. I stopped here because the budget/)
  expect(rowsIn(bot.database, 'select count(*) as count from sessions where parent is not null')).toEqual([
    { count: 2 },
  ])
})
