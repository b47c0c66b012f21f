import { expect, test } from 'vitest'
import { long, requestsOf } from '../delegation/support.ts'
import { type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { aboutIn, lastResults, makes, planning, step, tasksOf } from './support.ts'

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

test.each(['@bobbin ', ''])('“%s…”, said while a step works, is read before the next one begins', async (mention) => {
  const parent = [says('I’ll only send it to you.'), says('All done.')]
  const { bot, root, until } = await interrupted(parent, `${mention}${objection}`)
  await until('All done.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'send', 'knows'])
  expect(bot.memory.answers(root)).toContain('I’ll only send it to you.')
  expect(JSON.stringify(bot.model.requests[2])).toContain('Its next steps wait until you have read')
  expect(bot.rows('select status, attempt from plan_steps')).toEqual(
    [1, 1].map((attempt) => ({ status: 'completed', attempt })),
  )
})

test('the model ends the plan because of what somebody said', async () => {
  const { bot, until } = await interrupted([calls('end_plan', {}), says('I didn’t send it.')])
  await until('I didn’t send it.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows'])
  expect(bot.rows('select status, attempt from plan_steps order by number')).toEqual([
    { status: 'completed', attempt: 1 },
    { status: 'failed', attempt: 0 },
  ])
  expect(bot.rows('select status, why from plans')).toEqual([
    { status: 'failed', why: 'a person wants something else' },
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

test('the next step waits until the model has answered, whatever it looks up first', async () => {
  const looks = [calls('list_files', {}), calls('list_files', { path: 'outputs' })]
  const { bot, until } = await interrupted([...looks, says('I’ll only send it to you.'), says('All done.')])
  await until('All done.')
  expect(askedOf(bot.model.requests)).toEqual(['thread', 'report', 'knows', 'knows', 'knows', 'send', 'knows'])
  for (const body of bot.model.requests.slice(2, 5)) expect(JSON.stringify(body)).toContain('Its next steps wait until')
})

test('the next step waits for what people answer when the model asks them about it', async () => {
  const asks = calls('ask_human', { question: 'Shall I send it?' })
  const { bot, root, until } = await interrupted([asks, calls('end_plan', {}), says('I didn’t send it.')])
  const card = await bot.memory.untilCard(root)
  await bot.memory.click('ana', card, { kind: 'question', answer: 'Do not send' })
  await until('I didn’t send it.')
  expect(tasksOf(bot)).toHaveLength(1)
})

test('the model is told what of the plan it has ended was done, and when there was none to end', async () => {
  const ends = calls('end_plan', {})
  const { bot, until } = await interrupted([ends, ends, says('I didn’t send it.')])
  await until('I didn’t send it.')
  expect(lastResults(bot)).toContain('The plan has ended. Its steps: 1 done; 2 never begun.')
  expect(lastResults(bot).at(-1)).toBe('No plan is under way, so nothing was ended.')
})

test('a step that is held back again and again isn’t taken for a loop', async () => {
  const steps = ['a', 'b', 'c'].map((what, place) => step(what, { after: place === 0 ? [] : [place] }))
  let remark = async (_about: string): Promise<unknown> => undefined
  const bot = await startMemoryBot({
    script: planning([makes(steps), ...Array(9).fill(says('Noted.'))], (about) =>
      heldUntil(
        remark(about).then(() => {}),
        says(long(`Result of ${about}.`)),
      ),
    ),
  })
  const { memory } = bot
  const root = Promise.withResolvers<Message>()
  remark = async (about) => {
    if (about !== 'c') await memory.say('ben', `@bobbin I like ${about}`, { in: await root.promise })
  }
  root.resolve(await memory.say('ana', '@bobbin go'))
  await memory.eventually(() => expect(bot.rows("select state from turns where state = 'done'")).toHaveLength(4))
  expect(bot.rows('select status from plans')).toEqual([{ status: 'completed' }])
  expect(bot.rows('select kind from requests')).toEqual([])
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
