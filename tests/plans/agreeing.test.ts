import { expect, test } from 'vitest'
import { long } from '../delegation/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { eventually } from '../support/until.ts'
import { makes, planning, step, tasksOf } from './support.ts'

const four = [step('one'), step('two', { after: [1] }), step('three'), step('four', { after: [2, 3] })]
const works = (about: string) => says(long(`Result of ${about}.`))

/** What the latest card asks. */
const asked = async (bot: TestBot, conversation: string) =>
  ofType(await bot.chat.events(conversation), 'decision_asked').at(-1)?.data

/** Answers the latest card and waits for what comes of it: another card, or the end. */
async function answers(bot: TestBot, conversation: string, answer: string): Promise<void> {
  const before = await asked(bot, conversation)
  expect((await bot.chat.answer(before?.request_id ?? '', { answer, user_id: 'ana' })).status).toBe(200)
  await eventually(async () => {
    const events = await bot.chat.events(conversation)
    const isOver = events.some(({ type }) => type === 'complete')
    expect(isOver || (await asked(bot, conversation))?.request_id !== before?.request_id).toBe(true)
  })
}

const whatOf = (bot: TestBot) => rowsIn(bot.database, 'select what, after_steps from plan_steps order by number')

test('a plan of more than three steps waits for a person, who changes it and lets it run', async () => {
  const bot = await startTestBot({ script: planning([makes(four), says('Put together.')], works) })
  const { conversation, events } = await bot.chat.say('go')
  expect(tasksOf(bot)).toEqual([])
  const request = await asked(bot, conversation)
  expect(request).toMatchObject({ question: 'Shall I carry out this plan? I’m asking because it has 4 steps.' })
  expect(request?.context).toContain('2. two (after 1)')
  expect(ofType(events, 'work_plan').at(-1)?.data).toMatchObject({ status: 'planning', asked_by: request?.call_id })
  await answers(bot, conversation, 'drop 2; 2: never seen; 9 before 1')
  expect((await asked(bot, conversation))?.context).toContain('There is no step 9.')
  await answers(bot, conversation, 'drop 2; 3: only this year; add: in English')
  expect(whatOf(bot)).toEqual([
    { what: 'one', after_steps: '[]' },
    { what: 'three', after_steps: '[]' },
    { what: 'four', after_steps: '[1,2]' },
  ])
  expect((await asked(bot, conversation))?.question).toBe(
    'Shall I carry out this plan? I’m asking because it has been changed.',
  )
  await answers(bot, conversation, '2 before 1')
  await bot.restart()
  await answers(bot, conversation, '3 before 1')
  expect((await asked(bot, conversation))?.context).toContain('Step 3 needs the results of steps 1 and 2')
  await answers(bot, conversation, 'one_by_one')
  await bot.chat.untilType(conversation, 'complete')
  const tasks = tasksOf(bot)
  expect(tasks.map((task) => task.split('\n')[0])).toEqual(['three', 'one', 'four'])
  expect(tasks[0]).toContain('People added: only this year; in English')
  expect(tasks[1]).toContain('People added: in English')
})

test.each([
  ['Don’t run it', 'a person called it off'],
  ['Please look at the other folder first.', 'a person wants something else'],
])('“%s” ends the plan, and the model goes on from there', async (answer, why) => {
  const second = makes([step('again')])
  const bot = await startTestBot({ script: planning([makes(four), second, says('Put together.')], works) })
  const { conversation } = await bot.chat.say('go')
  await answers(bot, conversation, answer)
  await bot.chat.untilType(conversation, 'complete')
  expect(rowsIn(bot.database, 'select status, why from plans order by created_at')).toEqual([
    { status: 'failed', why },
    { status: 'completed', why: null },
  ])
  expect(tasksOf(bot).map((task) => task.split('\n')[0])).toEqual(['again'])
  expect(JSON.stringify(bot.model.requests.at(1))).toContain(answer)
})

test.each([
  ['go', 95, undefined],
  ['go', 79, 'I’m only 79 % sure that it’s what you want'],
  ['Maybe look at it', 95, 'the request can be understood in several ways'],
  ['List about 10 of them', 95, 'the request can be understood in several ways'],
  ['Find something related', 95, 'the request can be understood in several ways'],
  ['Look at the roundabout', 95, undefined],
  ['Write a report about prices', 95, undefined],
  ['Write a report about #123', 95, undefined],
  ['Write a report about 2025, and about related prices', 95, undefined],
])('“%s”, %i %% sure: asked because %s', async (said, confidence, why) => {
  const script = planning([makes([step('one')], { confidence }), says('Put together.')], works)
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say(said)
  expect((await asked(bot, conversation))?.question).toBe(
    why && `Shall I carry out this plan? I’m asking because ${why}.`,
  )
})

test('the model can’t carry out a step by itself, make two plans at once, or plan in a circle', async () => {
  const script = planning(
    [
      makes([step('one', { after: [2] }), step('two')]),
      makes([step('one')]),
      calls('plan_step', { step: 1, attempt: 1, what: 'once more' }, ['now', {}]),
      says('Done.'),
    ],
    works,
  )
  const bot = await startTestBot({ script })
  const { events } = await bot.chat.say('go')
  const results = ofType(events, 'observe').map(({ data }) => `${data.tool_name} ${data.status}`)
  expect(results.toSorted()).toEqual([
    ...['make_plan done', 'make_plan failed', 'now done', 'plan_step done', 'plan_step failed'],
  ])
  expect(tasksOf(bot)).toHaveLength(1)
})

/** A plan that people have agreed to with this answer, and whose first step is at work. */
async function added(answer: string) {
  const first = Promise.withResolvers<void>()
  const script = planning([makes(four), says('Put together.')], (about) =>
    about === 'one' ? heldUntil(first.promise, works(about)) : works(about),
  )
  const bot = await startMemoryBot({ script })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin go')
  await memory.untilCard(asked)
  const said = await memory.say('ana', answer, { in: asked })
  await eventually(() => expect(tasksOf(bot).some((task) => task.startsWith('one'))).toBe(true))
  const goesOn = () => {
    first.resolve()
    return memory.eventually(() => expect(memory.answers(asked)).toContain('Put together.'))
  }
  return { bot, said, goesOn }
}

test.each<[string, (bot: MemoryBot, said: Message) => Promise<unknown>]>([
  ['deleted', ({ memory }, said) => memory.delete(said)],
  ['edited', ({ memory }, said) => memory.edit(said, 'run')],
  [
    'only asked about',
    ({ memory }, said) => memory.edit(said, 'run; who said “the client is Jane Roe” and “born in 1980”?'),
  ],
])('what somebody added and has %s since reaches no further step', async (_, change) => {
  const { bot, said, goesOn } = await added('2: the client is Jane Roe; add: born in 1980; run')
  await change(bot, said)
  await goesOn()
  const later = tasksOf(bot).filter((task) => /^(?:two|four)/.test(task))
  expect(later).toHaveLength(2)
  expect(later.join()).not.toMatch(/Jane|1980/)
  expect(bot.rows('select words from plans')).toEqual([{ words: '[]' }])
})

test.each([
  ['2: the client is Jane Roe; add: not only this year; run', ['the client is Jane Roe'], 'not only this year'],
  ['3: the client is Jane Roe; add: only this year; run', [], 'only this year'],
  [
    '2: the client is Jane Roe; 2: she is 40; add: in English; run',
    ['the client is Jane Roe', 'she is 40'],
    'in English',
  ],
])('an answer edited to “%s” has its new words in the place of the old', async (text, ofTwo, ofAll) => {
  const { bot, said, goesOn } = await added('2: the client is Jane Roo; add: only this year; run')
  await bot.memory.edit(said, text)
  await goesOn()
  const words = tasksOf(bot).flatMap((task) =>
    /^(?:two|four)/.test(task) ? [/People added: (.*)/.exec(task)?.[1]] : [],
  )
  expect(words).toEqual([[...ofTwo, ofAll].join('; '), ofAll])
})

test('a vague request that failed is still vague when it is tried again', async () => {
  let isDown = true
  const script = planning([makes([step('one')]), says('Put together.')], works)
  const bot = await startTestBot({
    script: (body) => (isDown ? status(401, { message: 'no' }) : script(body)),
    config: { attempts: 1 },
  })
  const { conversation } = await bot.chat.say('Maybe clean up something related')
  isDown = false
  await bot.chat.post(`/agent/conversations/${conversation}/resume`)
  await eventually(async () =>
    expect((await asked(bot, conversation))?.question).toContain('the request can be understood in several ways'),
  )
  expect(tasksOf(bot)).toEqual([])
})
