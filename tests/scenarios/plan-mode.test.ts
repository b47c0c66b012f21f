import { expect, test } from 'vitest'
import type { Request } from '../../src/domain/request.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const approve = { kind: 'approval' as const, answer: { decision: 'approve' as const } }
const write = calls('write_file', { path: 'outputs/a.txt', content: 'x' })
const plan = '1. Write outputs/a.txt'

async function click({ memory }: MemoryBot, first: Message, count: number, decision: 'approve' | 'deny') {
  await memory.eventually(() => expect(memory.cards(first)).toHaveLength(count))
  const card = memory.cards(first).at(-1) as Request
  expect(await memory.click('ben', card, { ...approve, answer: { decision } })).toMatchObject({ kind: 'taken' })
}

/** The results that the model read at its latest request. */
const results = ({ model }: MemoryBot): string[] =>
  (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => `${content}`)

const told = ({ model }: MemoryBot): number =>
  (model.requests.at(-1)?.messages ?? []).filter(({ content }) => `${content}`.includes('# Plan mode\n')).length

test('in plan mode nothing changes until a person agrees to the plan, across a restart', async () => {
  const bot = await startMemoryBot({
    script: [
      calls('plan_enter', { why: 'It is large.' }),
      // Nobody is asked about what can't be done, and the list of steps is the bot's own.
      calls(
        'write_file',
        { path: 'outputs/a.txt', content: 'x' },
        ['list_files', { path: '.' }],
        ['plan_enter', { why: '-' }],
        ['todo_write', { todos: [{ content: 'write', status: 'pending' }] }],
      ),
      calls('plan_exit', { plan }),
      says('Not yet.'),
      calls('plan_exit', { plan }),
      write,
      says('Written.'),
      calls('plan_exit', { plan }),
      says('Fine.'),
    ],
  })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin do something large')
  await memory.say('ben', 'go on', { in: first })
  await click(bot, first, 1, 'approve')
  await click(bot, first, 2, 'deny')
  await memory.eventually(() => expect(memory.answers(first)).toContain('Not yet.'))
  await bot.settled()
  const [entered, refused, listed, again, noted, denied] = results(bot)
  expect(entered).toMatch(/^Plan mode is on\./)
  expect(refused).toMatch(/Plan mode is on, and write_file may change something\. Plan it, and call plan_exit/)
  expect(listed).toContain('uploads/')
  expect(again).toContain('Plan mode is on already.')
  expect(noted).toContain('1 pending')
  expect(denied).toBe('Cancelled: ben denied this.')
  expect(told(bot)).toBe(1)
  expect(memory.cards(first)).toMatchObject([
    { payload: { tool: 'plan_enter' } },
    { payload: { tool: 'plan_exit', input: { plan }, reason: 'I’ll carry out this plan.' } },
  ])

  // A yes is for this plan only.
  expect(memory.cards(first).filter(({ payload }) => 'grants' in payload && payload.grants !== undefined)).toEqual([])

  await bot.restart()
  await memory.say('ana', 'and now?', { in: first })
  await click(bot, first, 3, 'approve')
  await memory.eventually(() => expect(memory.answers(first)).toContain('Written.'))
  await bot.settled()
  expect(results(bot).slice(-2)).toEqual([
    expect.stringMatching(/^Plan mode is off\./),
    expect.stringContaining('a.txt'),
  ])
  expect(bot.rows('select mode from sessions')).toEqual([{ mode: null }])

  await memory.say('ana', 'once more', { in: first })
  await memory.eventually(() => expect(memory.answers(first)).toContain('Fine.'))
  expect(results(bot).at(-1)).toContain('Plan mode is not on.')
})

test('people switch it on and off with a word', async () => {
  const bot = await startMemoryBot({ script: [says('Hello.'), write, says('No.'), write, says('Yes.')] })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin hello')
  const say = async (text: string, answer: string) => {
    await memory.say('ana', text, { in: first })
    await memory.eventually(() => expect(memory.answers(first).at(-1)).toContain(answer))
    await bot.settled()
  }
  await memory.untilAnswered(first, 'Hello.')
  await bot.settled()
  await say('@bobbin plan', 'Plan mode is on')
  await say('@bobbin status', 'Plan mode: I only look and plan')
  await say('write it', 'No.')
  expect(results(bot).at(-1)).toContain('write_file may change something')
  await say('@bobbin plan off', 'Plan mode is off')
  await say('write it', 'Yes.')
  expect(bot.rows("select state from calls where tool = 'write_file'")).toEqual([
    { state: 'denied' },
    { state: 'done' },
  ])
})

test('a person agrees to a plan even where its risk would run without asking', async () => {
  const bot = await startMemoryBot({
    script: [calls('plan_enter', { why: 'It is large.' }), calls('plan_exit', { plan }), says('Begun.')],
    config: { rules: { ask_from: 'high' } },
  })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin do something large')
  await click(bot, first, 1, 'approve')
  await click(bot, first, 2, 'approve')
  await memory.untilAnswered(first, 'Begun.')
  expect(memory.cards(first)).toMatchObject([
    { payload: { tool: 'plan_enter', reason: 'I’ll only look and plan until somebody agrees to the plan.' } },
    { payload: { tool: 'plan_exit', reason: 'I’ll carry out this plan.' } },
  ])
})

test('where nobody is asked for approval, only people begin and end plan mode', async () => {
  const bot = await startMemoryBot({
    script: [
      says('Hello.'),
      calls('plan_exit', { plan }),
      says('Say plan off.'),
      calls('plan_enter', { why: 'It is large.' }),
      says('Done.'),
    ],
    config: { rules: { approvals: false } },
  })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin hello')
  const say = async (text: string, answer: string) => {
    await memory.say('ana', text, { in: first })
    await memory.eventually(() => expect(memory.answers(first).at(-1)).toContain(answer))
    await bot.settled()
  }
  await memory.untilAnswered(first, 'Hello.')
  await bot.settled()
  await say('@bobbin plan', 'Plan mode is on')
  await say('plan it', 'Say plan off.')
  expect(results(bot).at(-1)).toContain('only `plan off` ends plan mode')
  expect(told(bot)).toBe(1)
  await say('@bobbin plan off', 'Plan mode is off')
  await say('do it', 'Done.')
  expect(results(bot).at(-1)).toContain('nobody could agree to a plan')
  expect(memory.cards(first)).toEqual([])
})
