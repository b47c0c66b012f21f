import { expect, test } from 'vitest'
import { long, requestsOf } from '../delegation/support.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, type ScriptedReply, says, status } from '../support/model-server.ts'
import { aboutIn, makes, planning, step, tasksOf } from './support.ts'

const objection = 'Wait, please don’t send it yet!'
const reportAndSend = [step('report'), step('send', { after: [1] })]

/** Somebody says something while the first step of a plan is at work, which then ends. */
async function interrupted(parent: ScriptedReply[], text = `@bobbin ${objection}`, steps: object[] = reportAndSend) {
  const isSaid = Promise.withResolvers<void>()
  const script = planning([makes(steps), ...parent], (about) =>
    heldUntil(about === 'report' ? isSaid.promise : Promise.resolve(), says(long(`Result of ${about}.`))),
  )
  const bot = await startMemoryBot({ script })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin go')
  await memory.eventually(() => expect(tasksOf(bot)).not.toEqual([]))
  await memory.say('ben', text, { in: root })
  isSaid.resolve()
  const until = (last: string) => memory.eventually(() => expect(memory.answers(root).at(-1)).toContain(last))
  return { bot, root, until }
}

const isSaidIn = (body: RequestBody) => JSON.stringify(body.messages).includes(objection)

/** Who was asked, in order: the steps by what they do, the thread with whether it knew of the objection. */
const askedOf = (requests: readonly RequestBody[]) =>
  requests.map((body) => (requestsOf([body], 'child').length > 0 ? aboutIn(body) : isSaidIn(body) ? 'knows' : 'thread'))

const goesOn = 'Its next steps wait until you have read'

const stepsOf = (bot: MemoryBot) => bot.rows('select status, attempt from plan_steps order by number')
const callsOf = (bot: MemoryBot, tool: string) => bot.rows(`select state, result from calls where tool = '${tool}'`)

test.each(['@bobbin ', ''])('“%s…”, said while a step works, is read before the next one begins', async (mention) => {
  const parent = [says('I’ll only send it to you.'), says('All done.')]
  const { bot, root, until } = await interrupted(parent, `${mention}${objection}`)
  await until('All done.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'send', 'knows'])
  expect(bot.memory.answers(root)).toContain('I’ll only send it to you.')
  expect(JSON.stringify(bot.model.requests[2])).toContain(goesOn)
  expect(JSON.stringify(bot.model.requests[4])).not.toContain(goesOn)
  expect(stepsOf(bot)).toEqual([1, 1].map((attempt) => ({ status: 'completed', attempt })))
  // No step was called in vain.
  expect(callsOf(bot, 'plan_step').map(({ state }) => state)).toEqual(['done', 'done'])
})

test('the model ends the plan because of what somebody said, and is told what was done', async () => {
  const { bot, until } = await interrupted([calls('end_plan', {}), says('I didn’t send it.')])
  await until('I didn’t send it.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows'])
  expect(stepsOf(bot)).toEqual([
    { status: 'completed', attempt: 1 },
    { status: 'failed', attempt: 0 },
  ])
  expect(bot.rows('select status, why from plans')).toEqual([
    { status: 'failed', why: 'a person wants something else' },
  ])
  const result = 'The plan has ended. Its steps: 1 done; 2 never begun.'
  expect(callsOf(bot, 'end_plan')).toEqual([{ state: 'done', result }])
})

test('one by one: a step that fails for good meanwhile keeps only what needs it from being done', async () => {
  const isSaid = Promise.withResolvers<void>()
  const plan = makes([step('fail'), step('send', { after: [1] }), step('clean up')], { one_by_one: true })
  let attempts = 0
  const script = planning([plan, says('I see.'), says('All done.')], (about) => {
    if (about !== 'fail') return says(long(`Result of ${about}.`))
    return heldUntil(++attempts === 1 ? Promise.resolve() : isSaid.promise, status(400, { message: 'refused' }))
  })
  const bot = await startMemoryBot({ script })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin go')
  await memory.eventually(() => expect(attempts).toBe(2))
  await memory.say('ben', '@bobbin is it difficult?', { in: root })
  isSaid.resolve()
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toContain('All done.'))
  expect(stepsOf(bot)).toEqual([
    { status: 'failed', attempt: 2 },
    { status: 'failed', attempt: 0 },
    { status: 'completed', attempt: 1 },
  ])
})

test('the model makes another plan of what is left', async () => {
  const other = makes([step('send it to Ana only')])
  const { bot, until } = await interrupted([calls('end_plan', {}), other, says('Ana has it.')])
  await until('Ana has it.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows', 'send it to Ana only', 'knows'])
})

test('what is said while the last step works is answered once, with the result', async () => {
  const { bot, root, until } = await interrupted([says('All done.')], `@bobbin ${objection}`, [step('report')])
  await until('All done.')
  await bot.settled()
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows'])
  expect(bot.memory.answers(root)).toEqual(['All done.'])
})

test('the plan waits as long as the model looks something up, and the model knows that it does', async () => {
  const parent = [calls('list_files', {}), calls('end_plan', {}), says('I didn’t send it.')]
  const { bot, until } = await interrupted(parent)
  await until('I didn’t send it.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows', 'knows'])
  const told = bot.model.requests.map((body) => JSON.stringify(body).includes(goesOn))
  expect(told).toEqual([false, false, true, true, false])
  expect(stepsOf(bot)).toContainEqual({ status: 'failed', attempt: 0 })
})

test('the plan goes on once the model has said something after what it looked up', async () => {
  const { bot, until } = await interrupted([calls('list_files', {}), says('That is fine.'), says('All done.')])
  await until('All done.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows', 'send', 'knows'])
})

test('the plan goes on after an answer that the model gives with a call', async () => {
  // The text that the call ends with is stored as a reply, too.
  const parent = [calls('finish', { summary: 'That is fine.' }), says('never'), says('All done.')]
  const { bot, root, until } = await interrupted(parent, `@bobbin @finish ${objection}`)
  await until('All done.')
  expect(bot.memory.answers(root)).toEqual([expect.stringContaining('That is fine.'), 'All done.'])
  expect(tasksOf(bot)).toHaveLength(2)
})

test('what people answer to the model’s question is read before the next step begins', async () => {
  const question = calls('ask_human', { question: 'Shall I send it?' })
  const { bot, root, until } = await interrupted([question, calls('end_plan', {}), says('I didn’t send it.')])
  await bot.memory.untilCard(root)
  await bot.memory.say('ana', 'Do not send it', { in: root })
  await until('I didn’t send it.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows', 'knows'])
  expect(stepsOf(bot)).toContainEqual({ status: 'failed', attempt: 0 })
})

test('a plan that is over can’t be ended', async () => {
  const { bot, until } = await interrupted([says('I’ll send it.'), calls('end_plan', {}), says('It was sent.')])
  await until('It was sent.')
  expect(callsOf(bot, 'end_plan')).toEqual([
    { state: 'failed', result: expect.stringContaining('No plan is under way') },
  ])
})

test('a remark during each step makes nobody think that the bot goes in circles', async () => {
  const steps = [1, 2, 3, 4].map((number) => step(`step ${number}`, { after: number === 1 ? [] : [number - 1] }))
  let remark = async (_about: string): Promise<unknown> => undefined
  const script = planning(
    [makes(steps), ...[1, 2, 3].map((number) => says(`Yes ${number}.`)), says('All done.')],
    (about) => heldUntil(about === 'step 4' ? Promise.resolve() : remark(about), says(long(`Result of ${about}.`))),
  )
  const bot = await startMemoryBot({ script, config: { sections: { plans: { ask: { more_steps_than: 9 } } } } })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin go')
  remark = (about) => memory.say('ben', `@bobbin a word about ${about}`, { in: root })
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toContain('All done.'))
  expect(bot.rows('select id from requests')).toEqual([])
  expect(stepsOf(bot)).toEqual(steps.map(() => ({ status: 'completed', attempt: 1 })))
  expect(callsOf(bot, 'plan_step').map(({ state }) => state)).toEqual(steps.map(() => 'done'))
})

test.each([
  ['lunch?', 1],
  ['@bobbin lunch?', 0],
])('“%s”: what people say to each other while a plan runs need not be answered', async (text, silences) => {
  const { bot, root, until } = await interrupted([says('[silent]'), says('All done.')], text)
  await until('All done.')
  expect(bot.memory.answers(root)).toHaveLength(2 - silences)
  expect(tasksOf(bot)).toHaveLength(2)
  const isOffered = (body: RequestBody) => JSON.stringify(body).includes('people may be talking to each other')
  expect(bot.model.requests.filter(isOffered)).toHaveLength(silences)
})

test('files that a step has made end no plan when nothing is answered meanwhile', async () => {
  const isSaid = Promise.withResolvers<void>()
  const script = planning([makes(reportAndSend), says('[silent]'), says('All done.')], (about, body) => {
    if (about !== 'report') return says(long('Sent.'))
    const isMade = body.messages.some(({ role }) => role === 'tool')
    if (!isMade) return calls('write_file', { path: 'outputs/report.txt', content: 'x' })
    return heldUntil(isSaid.promise, says(long('Made.')))
  })
  const bot = await startMemoryBot({ script })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin go')
  await memory.eventually(() =>
    expect(bot.rows("select state from calls where tool = 'write_file'")).toEqual([{ state: 'done' }]),
  )
  await memory.say('ben', 'lunch?', { in: root })
  isSaid.resolve()
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('All done.'))
  expect(bot.rows('select status from plans')).toEqual([{ status: 'completed' }])
})
