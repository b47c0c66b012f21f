import { expect, test } from 'vitest'
import { gradeOf, stepsIn } from '../../src/capabilities/plans/grade.ts'
import { plansSection, settingsFor } from '../../src/capabilities/plans/settings.ts'
import { requestsOf } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, type ScriptedReply, says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { shippedConfig } from '../support/shipped.ts'
import { makes, planning, step } from './support.ts'

const settings = settingsFor(shippedConfig())

const complex =
  'Compare the revenue of our three suppliers over the last year, analyse the trend of their prices, check the contracts for compliance, and write a report with a recommendation for the team.'

test.each([
  ['What time is it?', 'simple'],
  ['Hello, how are you?', 'simple'],
  ['Fix the typo in README.md.', 'simple'],
  [
    'Please write a very short and friendly message to everybody who is going to come to the summer party tomorrow.',
    'simple',
  ],
  ['```\ncompare, analyse, evaluate the revenue since last year and the contract\n```', 'simple'],
  ['Read the report and compare the prices with the budget.', 'moderate'],
  ['Analyse the trend of our costs over the last quarter.', 'moderate'],
  ['Find the bug, fix it, and test it.', 'moderate'],
  [complex, 'complex'],
  [
    '1. Research the market\n2. Compare the competitors\n3. Analyse their prices since 2024\n4. Draft a strategy',
    'complex',
  ],
  ['请分析去年每月的成本和收入趋势，对比竞争对手，然后评估风险。', 'moderate'],
] as const)('%s: %s', (text, grade) => {
  expect(`${gradeOf(text, settings)}, ${stepsIn(text, settings)}`).toMatch(new RegExp(`^${grade}, `))
})

test('a long run of dots, quotes or blanks is read at once, however long it is', () => {
  for (const one of ['.', '?!', '，', ' ', '\n', '`', '1.', '> ', '? '])
    expect(gradeOf(`${one.repeat(200_000)}1`, settings)).not.toBe('')
})

test('the figures decide', () => {
  const figures = plansSection.schema.parse({ signs: { length: { characters: 5, steps: 9 } } })
  expect(gradeOf('123456', figures)).toBe('complex')
  expect(gradeOf('12345', figures)).toBe('simple')
})

/** Work that grows with the square of the length would not end within the test's time. */
test('a long text is graded', () => {
  expect(gradeOf(`${complex}\n`.repeat(5_000), settings)).toBe('complex')
})

const remarks = (request: object | undefined) => /This request seems to take [a-z ]+/.exec(JSON.stringify(request))?.[0]

test('the model is told what a request looks like; a simple one isn’t remarked on', async () => {
  const bot = await startTestBot({ script: [says('1'), says('2'), says('3')] })
  const { conversation } = await bot.chat.say('Find the bug, fix it, and test it.')
  await bot.chat.say('Thanks, what time is it?', { conversation })
  expect(bot.model.requests.map(remarks)).toEqual(['This request seems to take a few steps', undefined])
  await bot.chat.say(complex, { conversation })
  expect(remarks(bot.model.requests.at(-1))).toBe('This request seems to take many steps')
})

test('a complex request changes nothing before there is a plan', async () => {
  const write = calls('write_file', { path: 'outputs/a.txt', content: 'a' })
  const bot = await startTestBot({
    script: planning([write, makes([step('one')]), write, says('Done.')], () => says('One is done.'.repeat(30))),
  })
  const { events } = await bot.chat.say(complex)
  const results = events.flatMap((event) =>
    event.type === 'observe' ? `${event.data.tool_name} ${event.data.status}: ${event.data.result.slice(0, 40)}` : [],
  )
  expect(results[0]).toMatch(/^write_file (?:failed|denied): .*takes many steps/)
  expect(results.at(-1)).toMatch(/^write_file done/)
})

test('a request whose plan was carried out needs no other when it goes on after a failure', async () => {
  const write = calls('write_file', { path: 'outputs/a.txt', content: 'a' })
  const failure = { turn: status(401, { message: 'no' }) as ScriptedReply | undefined }
  const script = planning([makes([step('one')]), write, says('Done.')], () => says('One is done.'.repeat(30)))
  const bot = await startTestBot({
    config: { attempts: 1 },
    script: (body) =>
      (requestsOf([body], 'child').length === 0 && body.messages.length > 4 && failure.turn) || script(body),
  })
  const { conversation } = await bot.chat.say(complex)
  expect(rowsIn(bot.database, "select state from turns where state = 'failed'")).toHaveLength(1)
  failure.turn = undefined
  const before = bot.model.requests.length
  await bot.chat.post(`/agent/conversations/${conversation}/resume`)
  await bot.chat.untilType(conversation, 'complete')
  expect(rowsIn(bot.database, "select state from calls where tool = 'write_file'")).toEqual([{ state: 'done' }])
  expect(bot.model.requests.slice(before).map(remarks)).toEqual([undefined, undefined])
})

test('a model that makes no plan is held back for five seconds, across a restart, and the thread is told once', async () => {
  let now = Date.now()
  const write = (to: string) => calls('write_file', { path: `outputs/${to}.txt`, content: to })
  const after = (seconds: number, reply: ReturnType<typeof write>) => {
    now += seconds * 1_000
    return reply
  }
  const replies = [
    () => write('a'),
    () => after(2, write('b')),
    () => calls('ask_human', { question: 'In English?' }),
    () => after(4, write('c')),
    () => write('d'),
    () => says('Done.'),
  ]
  const bot = await startTestBot({ script: () => replies.shift()?.(), clock: { now: () => now } })
  const { conversation } = await bot.chat.say(complex)
  await bot.restart()
  const [question] = await bot.chat.requests()
  expect((await bot.chat.answer(String(question?.id), { answer: 'yes' })).status).toBe(200)
  await bot.chat.untilType(conversation, 'complete')
  const events = await bot.chat.events(conversation)
  const writes = events.flatMap(({ type, data }) =>
    type === 'observe' && data.tool_name === 'write_file' ? data.status : [],
  )
  expect(writes).toEqual(['denied', 'denied', 'done', 'done'])
  expect(events.flatMap(({ type, data }) => (type === 'warning' ? data.message : []))).toEqual([
    'There was no plan within 5 seconds, so I’m continuing without one.',
  ])
})

test('switched off: no remark, no tool, nothing is refused', async () => {
  const write = calls('write_file', { path: 'outputs/a.txt', content: 'a' })
  const bot = await startTestBot({
    script: [write, says('Done.')],
    config: { sections: { plans: { enabled: false } } },
  })
  expect((await bot.chat.say(complex)).text).toBe('Done.')
  expect(remarks(bot.model.requests[0])).toBeUndefined()
  expect(JSON.stringify(bot.model.requests[0]?.tools)).not.toContain('make_plan')
})

test('the practice model plans, and its steps run', async () => {
  const bot = await startTestBot()
  const files = { 'notes.md': '# Notes\nThe budget is 500.', 'other.txt': 'nothing' }
  const { text, events } = await bot.chat.say('plan: summarise #notes.md; finally show other.txt', { files })
  const last = events.findLast(({ type }) => type === 'work_plan')
  expect(last?.data).toMatchObject({ status: 'completed', steps: [{ after: [] }, { after: [1] }] })
  expect(text).toContain('budget')
  expect(text).toContain('nothing')
})

test('a step may name a file that it is to make', async () => {
  const bot = await startTestBot()
  const { events } = await bot.chat.say('plan: list the files; finally write a summary into outputs/summary.md')
  const last = events.findLast(({ type }) => type === 'work_plan')
  expect(last?.data).toMatchObject({ steps: [{}, { attempt: 1, status: 'completed' }], status: 'completed' })
})
