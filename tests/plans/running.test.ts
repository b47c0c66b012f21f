import { expect, test } from 'vitest'
import { long } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, heldUntil, says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { eventually } from '../support/until.ts'
import { lastResults, makes, planning, step, tasksOf } from './support.ts'

const refused = status(400, { message: 'refused' })
const statuses = 'select number, status, attempt from plan_steps order by number'

test('a plan of three steps runs without asking: each step a child, with the results that it needs', async () => {
  const script = planning(
    [makes([step('read a'), step('read b'), step('join', { after: [1, 2] })]), says('Put together.')],
    (about) => says(long(`Result of ${about}.`)),
  )
  const bot = await startTestBot({ script })
  const { text, events } = await bot.chat.say('go')
  expect(text).toBe('Put together.')
  expect(tasksOf(bot).map((task) => task.split('\n')[0])).toHaveLength(3)
  const join = tasksOf(bot).find((task) => task.startsWith('join'))
  expect(join).toContain('Result of read a.')
  expect(join).toContain('Result of read b.')
  expect(rowsIn(bot.database, statuses)).toEqual(
    [1, 2, 3].map((number) => ({ number, status: 'completed', attempt: 1 })),
  )
  expect(rowsIn(bot.database, 'select status from plans')).toEqual([{ status: 'completed' }])
  expect(ofType(events, 'step_start').at(-1)?.data).toMatchObject({ step: 3, attempt: 1 })
  expect(ofType(events, 'step_end')).toHaveLength(3)
  expect(ofType(events, 'step_finish')).toHaveLength(3)
  expect(ofType(events, 'work_plan').at(-1)?.data).toMatchObject({ status: 'completed', title: 'Compare the offers' })
  // The plan, and three results.
  expect(lastResults(bot)).toHaveLength(4)
})

test('a step begins as soon as those it needs have ended, whatever else still runs; at most five at once', async () => {
  const slow = Promise.withResolvers<void>()
  const five = Promise.withResolvers<void>()
  let begun = 0
  const steps = [
    step('slow'),
    step('a'),
    step('after a', { after: [2] }),
    ...['b', 'c', 'd', 'e'].map((one) => step(one)),
  ]
  const script = planning([makes(steps), says('Put together.')], (about) => {
    if (++begun === 5) five.resolve()
    return heldUntil(about === 'slow' ? slow.promise : five.promise, says(long(about)))
  })
  const bot = await startTestBot({ script, config: { sections: { plans: { ask: { more_steps_than: 9 } } } } })
  const said = bot.chat.say('go')
  await eventually(() =>
    expect(rowsIn(bot.database, "select number from plan_steps where status <> 'completed'")).toEqual([{ number: 1 }]),
  )
  slow.resolve()
  const { text, events } = await said
  expect(text).toBe('Put together.')
  let running = 0
  let most = 0
  for (const { type } of events) {
    if (type === 'step_start') most = Math.max(most, ++running)
    if (type === 'step_end') running--
  }
  expect(most).toBe(5)
})

test('a step that needs many long results is given a share of each, and told that they are cut', async () => {
  const reads = Array.from({ length: 12 }, (_, place) => step(`read ${place}`))
  const join = step('join', { after: reads.map((_, place) => place + 1) })
  const script = planning([makes([...reads, join]), says('Put together.')], (about) =>
    says(about === 'join' ? long('Joined.') : 'z '.repeat(4_500)),
  )
  const bot = await startTestBot({ script, config: { sections: { plans: { ask: { more_steps_than: 99 } } } } })
  expect((await bot.chat.say('go')).text).toBe('Put together.')
  const task = tasksOf(bot).at(-1) ?? ''
  expect(task).toMatch(/^join/)
  expect(task.length).toBeLessThan(40_000)
  expect(task.match(/The rest of this result is cut/g)).toHaveLength(12)
})

test('a long result is whole where the others leave room for it', async () => {
  const reads = Array.from({ length: 12 }, (_, place) => step(`read ${place}`))
  const join = step('join', { after: reads.map((_, place) => place + 1) })
  const script = planning([makes([...reads, join]), says('Put together.')], (about) =>
    says(about === 'read 7' ? 'z '.repeat(4_500) : long(`Result of ${about}.`)),
  )
  const bot = await startTestBot({ script, config: { sections: { plans: { ask: { more_steps_than: 99 } } } } })
  expect((await bot.chat.say('go')).text).toBe('Put together.')
  const task = tasksOf(bot).at(-1) ?? ''
  expect(task).toContain('z '.repeat(4_400))
  expect(task).not.toContain('The rest of this result is cut')
  const places = reads.map((_, place) => task.indexOf(`Step ${place + 1}:\n`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('one by one: no two run at the same time, in the order of the plan', async () => {
  const script = planning(
    [makes([step('a'), step('b'), step('c')], { one_by_one: true }), says('Put together.')],
    (about) => says(long(about)),
  )
  const bot = await startTestBot({ script })
  const { events } = await bot.chat.say('go')
  const order = events.flatMap((event) =>
    event.type === 'step_start' || event.type === 'step_end' ? `${event.type} ${event.data.step}` : [],
  )
  expect(order).toEqual([1, 2, 3].flatMap((one) => [`step_start ${one}`, `step_end ${one}`]))
})

test('a step that fails is tried again, and what needs it runs after that, once', async () => {
  let attempts = 0
  const script = planning([makes([step('shaky'), step('next', { after: [1] })]), says('Put together.')], (about) => {
    if (about === 'shaky' && ++attempts === 1) return refused
    return says(long(`Result of ${about}.`))
  })
  const bot = await startTestBot({ script })
  const { events } = await bot.chat.say('go')
  expect(rowsIn(bot.database, statuses)).toEqual([
    { number: 1, status: 'completed', attempt: 2 },
    { number: 2, status: 'completed', attempt: 1 },
  ])
  expect(tasksOf(bot).filter((task) => task.startsWith('next'))).toHaveLength(1)
  expect(ofType(events, 'step_end').map(({ data }) => `${data.step} ${data.status}`)).toEqual([
    '1 failed',
    '1 completed',
    '2 completed',
  ])
})

test('one that keeps failing fails the plan: what needs it never runs, the rest does, and the model is told', async () => {
  const script = planning(
    [makes([step('broken'), step('needs it', { after: [1] }), step('other')]), says('Only the other one.')],
    (about) => (about === 'broken' ? refused : says(long(about))),
  )
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('go')).text).toBe('Only the other one.')
  expect(rowsIn(bot.database, statuses)).toEqual([
    { number: 1, status: 'failed', attempt: 2 },
    { number: 2, status: 'failed', attempt: expect.any(Number) },
    { number: 3, status: 'completed', attempt: 1 },
  ])
  expect(tasksOf(bot).some((task) => task.startsWith('needs it'))).toBe(false)
  expect(rowsIn(bot.database, 'select status from plans')).toEqual([{ status: 'failed' }])
  expect(lastResults(bot).join('\n')).toContain('failed after')
})

test.each([
  ['says what is missing', says(long('The report is not written.'))],
  ['still calls tools', undefined],
])('a step that %s when its model calls are used up has failed, and what needs it never runs', async (_, last) => {
  let looked = 0
  const script = planning([makes([step('write'), step('send', { after: [1] })]), says('Not sent.')], (_about, body) =>
    body.tool_choice === 'none' && last ? last : calls('list_files', { path: ['outputs', 'uploads'][looked++ % 2] }),
  )
  const bot = await startTestBot({ script, config: { sections: { plans: { run: { steps: 2 } } } } })
  expect((await bot.chat.say('go')).text).toBe('Not sent.')
  expect(rowsIn(bot.database, statuses)).toEqual([
    { number: 1, status: 'failed', attempt: 2 },
    { number: 2, status: 'failed', attempt: 0 },
  ])
  expect(lastResults(bot)[1]).toMatch(/^\[subagent-\w+, 3 steps: it ran out of steps and may not be done\]/)
})

test('a step whose model is cut off before it says anything has failed', async () => {
  const script = planning([makes([step('write')]), says('Not written.')], () => ({ ...says(''), finish: 'length' }))
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('go')).text).toBe('Not written.')
  expect(rowsIn(bot.database, statuses)).toEqual([{ number: 1, status: 'failed', attempt: 2 }])
})

test.each([
  ['in its other way', { other_way: 'look it up' }, 'look it up'],
  ['by leaving it out', {}, undefined],
] as const)('going round a step %s: what needs it runs', async (_, more, instead) => {
  const steps = [step('broken', { if_it_fails: 'go_round', ...more }), step('next', { after: [1] })]
  const script = planning([makes(steps), says('Put together.')], (about) =>
    about === 'broken' ? refused : says(long(`Result of ${about}.`)),
  )
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('go')).text).toBe('Put together.')
  expect(rowsIn(bot.database, 'select status from plan_steps order by number')).toEqual([
    { status: 'fallback' },
    { status: 'completed' },
  ])
  expect(rowsIn(bot.database, 'select status from plans')).toEqual([{ status: 'fallback' }])
  const next = tasksOf(bot).find((task) => task.startsWith('next'))
  expect(next).toContain(instead === undefined ? 'It was left out' : 'Result of look it up.')
})

test.each([
  ['again', ['completed', 'completed'], 'completed'],
  ['without', ['fallback', 'completed'], 'fallback'],
  ['stop', ['failed', 'failed'], 'failed'],
  ['What is it about?', ['failed', 'failed'], 'failed'],
] as const)('a person decides about a step that fails: %s', async (answer, ends, whole) => {
  let attempts = 0
  const steps = [step('broken', { if_it_fails: 'ask' }), step('next', { after: [1] })]
  const script = planning([makes(steps), says('That is it.')], (about) =>
    about === 'broken' && ++attempts === 1 ? refused : says(long(about)),
  )
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('go')
  const [request] = await bot.chat.requests()
  expect(request).toMatchObject({ question: 'Step 1 failed: broken What now?' })
  await bot.restart()
  expect((await bot.chat.answer(request?.id ?? '', { answer, user_id: 'ana' })).status).toBe(200)
  await bot.chat.untilType(conversation, 'complete')
  expect(rowsIn(bot.database, 'select status from plan_steps order by number')).toEqual(
    ends.map((status) => ({ status })),
  )
  expect(rowsIn(bot.database, 'select status from plans')).toEqual([{ status: whole }])
})

test('a stop ends the plan and all of its steps, at once and for good', async () => {
  const script = planning([makes([step('a'), step('b'), step('c', { after: [1] })]), says('never')], () => hang())
  const bot = await startTestBot({ script })
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(tasksOf(bot)).toHaveLength(2))
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  expect(rowsIn(bot.database, 'select status, why from plans')).toEqual([
    { status: 'failed', why: expect.stringContaining('stopped the turn') },
  ])
  // The last one never ran.
  expect(rowsIn(bot.database, 'select status, final, attempt from plan_steps order by number')).toEqual(
    [1, 1, 0].map((attempt) => ({ status: 'failed', final: 1, attempt })),
  )
  await eventually(() => expect(bot.model.givenUp).toHaveLength(2))
  const events = await bot.chat.events(conversation)
  expect(ofType(events, 'work_plan').at(-1)?.data.status).toBe('failed')
  for (const [type, steps] of [
    ['step_end', [1, 2]],
    ['step_finish', [1, 2, 3]],
  ] as const)
    expect(ofType(events, type).map(({ data }) => data.step)).toEqual(steps)
  await bot.restart()
  expect(bot.model.requests).toHaveLength(3)
})

test('a restart while steps run: the plan goes on where it stood', async () => {
  const held = Promise.withResolvers<void>()
  let first = true
  const script = planning([makes([step('a'), step('b', { after: [1] })]), says('Put together.')], (about) => {
    if (about === 'b' || !first) return says(long(about))
    first = false
    return heldUntil(held.promise, hang())
  })
  const bot = await startTestBot({ script })
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(tasksOf(bot)).toHaveLength(1))
  await bot.restart()
  held.resolve()
  const done = await bot.chat.untilType(conversation, 'complete')
  expect(done.data).toMatchObject({ content: 'Put together.' })
  expect(rowsIn(bot.database, statuses)).toEqual([
    { number: 1, status: 'completed', attempt: 1 },
    { number: 2, status: 'completed', attempt: 1 },
  ])
  expect(rowsIn(bot.database, 'select count(*) as count from sessions')).toEqual([{ count: 3 }])
})
