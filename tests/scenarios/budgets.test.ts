import { describe, expect, test } from 'vitest'
import type { BudgetLimit } from '../../src/config/config.ts'
import { family, long } from '../delegation/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import {
  calls,
  cutAfter,
  empty,
  hang,
  heldUntil,
  type ModelScript,
  raw,
  type ScriptedReply,
  says,
  status,
} from '../support/model-server.ts'
import { eventually, until } from '../support/until.ts'

const environment = { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' }
/** Each call costs one cent, and that is also what is reserved for it. */
const usage = { input: 100, output: 1_000, cached: 0 }
const cent = 0.01

const botWith = (script: ModelScript, ...limits: BudgetLimit[]) =>
  startTestBot({ script, environment, config: { budgets: { limits }, engine: { turnsAtOnce: 60 } } })

async function spent(bot: TestBot): Promise<number> {
  const response = await fetch(`${bot.chat.url}/api/v1/usage?by=day`)
  return ((await response.json()) as { total_usd: number }).total_usd
}

const piece = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})

const answers: ModelScript = () => ({ ...says('Done.'), usage })

test('fifty at once in a channel with money for twenty: twenty are answered, and the others are told', async () => {
  const bot = await botWith(answers, { per: 'channel', usd: 20 * cent })
  const all = await Promise.all(Array.from({ length: 50 }, (_, number) => bot.chat.say(`question ${number}`)))
  const texts = all.map(({ text }) => text)
  expect(texts.filter((text) => text === 'Done.')).toHaveLength(20)
  expect(
    texts.filter((text) => text?.startsWith('I stopped here because the budget of $0.20 for this channel')),
  ).toHaveLength(30)
  expect(bot.model.requests).toHaveLength(20)
  expect(await spent(bot)).toBeCloseTo(20 * cent, 9)
})

test('a limit in the middle of a turn ends it with what is there, and says what to do', async () => {
  const bot = await botWith(() => ({ ...calls('now', {}), usage }), { per: 'turn', usd: 2.5 * cent })
  const said = await bot.chat.say('go on for ever')
  expect(said.text).toBe(
    'I stopped here because the budget of $0.025 for this turn is used up. Say `continue` to go on in a new turn.',
  )
  expect(bot.model.requests).toHaveLength(3)
  await bot.chat.say('continue', { conversation: said.conversation })
  expect(bot.model.requests.length).toBe(6)
})

describe('a soft limit', () => {
  const soft: BudgetLimit = { per: 'thread', usd: 10 * cent, soft: 0.2 }
  const script: ModelScript = (_, number) => (number < 3 ? { ...calls('now', {}), usage } : { ...says('Done.'), usage })

  async function asked() {
    const bot = await botWith(script, soft)
    const { conversation } = await bot.chat.say('work')
    const [question] = ofType(await bot.chat.events(conversation), 'decision_asked')
    expect(question?.data).toMatchObject({
      question: 'At least 20 % of the budget of $0.10 for this thread is used. Should I go on?',
    })
    expect(bot.model.requests).toHaveLength(2)
    return { bot, conversation }
  }

  test('asks in the thread, also over a restart, and goes on with a yes, once in a turn', async () => {
    const { bot, conversation } = await asked()
    await bot.restart()
    await bot.chat.say('Go on', { conversation })
    await bot.chat.untilType(conversation, 'complete')
    expect(ofType(await bot.chat.events(conversation), 'complete').at(-1)?.data.content).toBe('Done.')
    expect(ofType(await bot.chat.events(conversation), 'decision_asked')).toHaveLength(1)
    expect(bot.model.violations).toEqual([])
  })

  test('goes on with a yes in other words', async () => {
    const { bot, conversation } = await asked()
    await bot.chat.say('Yes!', { conversation })
    await bot.chat.untilType(conversation, 'complete')
    expect(ofType(await bot.chat.events(conversation), 'complete').at(-1)?.data.content).toBe('Done.')
  })

  test.each(['Stop here', 'No, please don’t', '不ok'])('stops with a no: %s', async (no) => {
    const { bot, conversation } = await asked()
    await bot.chat.say(no, { conversation })
    await bot.chat.untilType(conversation, 'complete')
    expect(ofType(await bot.chat.events(conversation), 'complete').at(-1)?.data.content).toContain('as you said')
    expect(bot.model.requests).toHaveLength(2)
  })
})

describe('at a soft limit that several subagents reach at once', () => {
  async function asked() {
    const gives = (count: number): ScriptedReply => {
      const [first, ...rest] = Array.from({ length: count }, (_, place) => ({ task: `part ${place + 1}` }))
      return {
        ...calls('delegate_task', first, ...rest.map((task): [string, object] => ['delegate_task', task])),
        usage,
      }
    }
    const part = (task: string) => ({ ...says(long(task)), usage })
    // The question that a subagent asks is a reply of its own.
    const script = family([gives(3), gives(1), { ...says('All done.'), usage }], [part, part])
    const bot = await botWith(script, { per: 'turn', usd: 20 * cent, soft: 0.05 })
    const { conversation } = await bot.chat.say('work')
    const requests = await eventually(async () => {
      const all = await bot.chat.requests()
      expect(all).toHaveLength(3)
      return all
    })
    return { bot, conversation, id: requests[1]?.id ?? '' }
  }

  test('one yes counts for all, also over a restart, and for those that begin later', async () => {
    const { bot, conversation, id } = await asked()
    await bot.restart()
    expect((await bot.chat.answer(id, { answer: 'Go on', user_id: 'ana' })).status).toBe(200)
    await bot.chat.untilType(conversation, 'complete')
    const events = await bot.chat.events(conversation)
    expect(ofType(events, 'complete').at(-1)?.data.content).toBe('All done.')
    expect(ofType(events, 'decision_asked')).toHaveLength(3)
    expect(ofType(events, 'decision_answered').map(({ data }) => data.person?.id)).toEqual(['ana', 'ana', 'ana'])
  })

  test('one no stops all, and nobody is asked again', async () => {
    const { bot, conversation, id } = await asked()
    await bot.chat.answer(id, { answer: 'No, too dear', user_id: 'ana' })
    await bot.chat.untilType(conversation, 'complete')
    const events = await bot.chat.events(conversation)
    expect(ofType(events, 'complete').at(-1)?.data.content).toContain('as you said')
    expect(ofType(events, 'decision_asked')).toHaveLength(3)
    // Ana can change her own words only where she wrote them.
    const answers = ofType(events, 'decision_answered').map(({ data }) => data.answer)
    expect(answers.toSorted()).toEqual(['No, too dear', 'Stop here', 'Stop here'])
    expect(bot.model.requests).toHaveLength(1)
  })
})

describe('what was reserved', () => {
  test('is free again when the call fails', async () => {
    const bot = await botWith((_, number) => (number < 3 ? status(500) : { ...says('Done.'), usage }), {
      per: 'channel',
      usd: cent,
    })
    const { conversation } = await bot.chat.say('hello')
    expect(ofType(await bot.chat.events(conversation), 'error')).toHaveLength(1)
    expect(await spent(bot)).toBe(0)
    expect((await bot.chat.say('hello')).text).toBe('Done.')
  })

  test('counts as spent when the reply breaks off', async () => {
    const script: ModelScript = (_, number) => (number < 3 ? cutAfter(2) : { ...says('Done.'), usage })
    const bot = await botWith(script, { per: 'channel', usd: 5 * cent })
    const { conversation } = await bot.chat.say('hello')
    expect(ofType(await bot.chat.events(conversation), 'error')).toHaveLength(1)
    expect(await spent(bot)).toBeCloseTo(cent, 9)
  })

  test.each<[string, (number: number) => ScriptedReply]>([
    ['an error comes after its first words', () => raw(piece('so'), { error: { message: 'overloaded', code: 503 } })],
    ['its first words end in an error', () => raw(piece('so'), piece('', 'error'))],
    ['it breaks off and later attempts cost nothing', (number) => (number === 0 ? cutAfter(2) : status(429))],
  ])('counts as spent when %s', async (_, failing) => {
    const script: ModelScript = (_, number) => (number < 3 ? failing(number) : { ...says('Done.'), usage })
    const bot = await botWith(script, { per: 'channel', usd: 5 * cent })
    const { conversation } = await bot.chat.say('hello')
    expect(ofType(await bot.chat.events(conversation), 'error')).toHaveLength(1)
    expect(await spent(bot)).toBeCloseTo(cent, 9)
  })

  test('is settled with what the server counted for empty replies too, before another one or when it gives up', async () => {
    const nothing = { ...empty(), usage }
    const script: ModelScript = (_, number) => (number === 1 ? { ...says('Done.'), usage } : nothing)
    const bot = await botWith(script, { per: 'channel', usd: 9 * cent })
    const { conversation, text, events } = await bot.chat.say('hello')
    expect(text).toBe('Done.')
    expect(ofType(events, 'cost_update')).toMatchObject([{ data: { tokens_out: 2_000, usd: 2 * cent } }])
    expect(await spent(bot)).toBeCloseTo(2 * cent, 9)
    await bot.chat.say('and now?', { conversation })
    expect(bot.model.requests).toHaveLength(5)
    expect(ofType(await bot.chat.events(conversation), 'error')).toHaveLength(1)
    expect(await spent(bot)).toBeCloseTo(5 * cent, 9)
  })

  test('counts as spent when the process is gone before the answer, and the turn goes on', async () => {
    const bot = await botWith((_, number) => (number === 0 ? hang() : { ...says('Done.'), usage }), {
      per: 'channel',
      usd: 3 * cent,
    })
    const response = await bot.chat.send('hello')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await until('the request', () => bot.model.requests.length === 1)
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    expect(await spent(bot)).toBeCloseTo(2 * cent, 9)
  })
})

test('a summary reserves what it may cost, settles it, and is not written when the money is gone', async () => {
  const gate = Promise.withResolvers<void>()
  const bot = await startTestBot({
    script: ({ tools }) => ({
      ...(tools === undefined ? heldUntil(gate.promise, says('Notes.')) : says('Done.')),
      usage,
    }),
    environment,
    config: {
      budgets: { limits: [{ per: 'channel', usd: 4 * cent }] },
      sections: { context: { compact_messages: 2, recent_messages: 1 } },
    },
  })
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('and more', { conversation })
  await bot.chat.say('/compact', { conversation })
  await until('the summary', () => bot.model.requests.length === 3)
  // One of them fits beside what is reserved for the summary.
  const others = [bot.chat.say('one'), bot.chat.say('two')]
  expect((await Promise.race(others)).text).toBe('Done.')
  gate.resolve()
  const texts = (await Promise.all(others)).map(({ text }) => text)
  expect(texts.filter((text) => text !== 'Done.')).toMatchObject([expect.stringContaining('the budget of $0.04')])
  expect(bot.model.requests).toHaveLength(4)
  expect(await spent(bot)).toBeCloseTo(4 * cent, 9)
  expect(await (await fetch(`${bot.chat.url}/api/v1/usage?by=tool`)).text()).toContain('compact_context')

  const reported = async (words: string) => JSON.stringify(await bot.chat.events(conversation)).includes(words)
  await until('the first report', () => reported('The history itself is unchanged'))
  await bot.chat.say('/compact', { conversation })
  await until('the second report', () => reported('couldn’t write a summary'))
  expect(bot.model.requests).toHaveLength(4)
})

test('people who talk to each other do not hear of it', async () => {
  const limits: BudgetLimit[] = [{ per: 'thread', usd: cent }]
  const bot = await startMemoryBot({ script: answers, environment, config: { budgets: { limits } } })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin hello')
  await memory.untilAnswered(root, 'Done.')
  await memory.say('ben', 'thanks everyone', { in: root })
  await memory.eventually(() => expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(2))
  await bot.settled()
  expect(memory.answers(root)).toEqual(['Done.'])
  await memory.say('ana', '@bobbin and now?', { in: root })
  await memory.eventually(() =>
    expect(memory.answers(root).at(-1)).toContain('the budget of $0.01 for this thread is used up'),
  )
})

describe('at a soft limit, people who talk to each other', () => {
  const limits: BudgetLimit[] = [{ per: 'thread', usd: 10 * cent, soft: 0.1 }]

  test('are not asked, and what they say next is no answer', async () => {
    const bot = await startMemoryBot({ script: answers, environment, config: { budgets: { limits } } })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Done.')
    for (const [place, text] of ['thanks everyone', 'please stop'].entries()) {
      await memory.say('ben', text, { in: root })
      await memory.eventually(() =>
        expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(place + 2),
      )
    }
    await bot.settled()
    expect(memory.cards(root)).toEqual([])
    expect(memory.answers(root)).toEqual(['Done.'])
    const reason = 'It doesn’t mention the bot, which would have had to ask first whether it may go on.'
    expect(bot.rows('select reason from ignored')).toEqual([{ reason }, { reason }])
    await memory.say('ana', '@bobbin and now?', { in: root })
    await memory.untilCard(root)
    expect(bot.model.requests).toHaveLength(1)
  })

  test('are asked once it works for them', async () => {
    const script: ModelScript = (_, number) => ({ ...(number === 1 ? calls('now', {}) : says('Done.')), usage })
    const late: BudgetLimit[] = [{ per: 'thread', usd: 10 * cent, soft: 0.2 }]
    const bot = await startMemoryBot({ script, environment, config: { budgets: { limits: late } } })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Done.')
    await memory.say('ana', 'and now?', { in: root })
    await memory.untilCard(root)
    await memory.say('ana', 'yes', { in: root })
    await memory.untilAnswered(root, 'Done.', 'Done.')
  })
})
