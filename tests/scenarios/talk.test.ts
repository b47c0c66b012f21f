import { describe, expect, test } from 'vitest'
import type { Capability } from '../../src/turn/port/capability.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, empty, heldUntil, says, status } from '../support/model-server.ts'

const hour = 60 * 60_000

// Put together here, so that the repository holds nothing that looks like a key.
const key = ['ghp', 'Qm4Zx8Lr2Tn6Vb0Yc5Wd9Kf3Hj7Pg1Sa4EuR'].join('_')

/** The events of the thread by their types. */
const typesOf = (bot: { rows(query: string): Record<string, unknown>[] }) =>
  bot.rows('select type from events order by id').map(({ type }) => type)

const reasons = (bot: MemoryBot) => bot.rows('select message, reason from ignored order by ignored_at, message')

describe('between people in its own thread', () => {
  test.each([
    ['by saying so', says('[silent]')],
    ['by saying nothing', empty()],
  ])('it stays silent %s', async (_, reply) => {
    const bot = await startMemoryBot({ script: [says('Hello.'), reply, says('Again.')] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    const { id: message } = await memory.say('ben', 'thanks everyone', { in: root })
    await memory.eventually(() => expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(2))
    await bot.settled()
    expect(memory.answers(root)).toEqual(['Hello.'])
    expect(reasons(bot)).toEqual([
      { message, reason: 'It doesn’t mention the bot, which read it and had nothing to say.' },
    ])
    expect(typesOf(bot).filter((type) => type === 'complete')).toHaveLength(2)
    expect(typesOf(bot)).not.toContain('error')
    expect(JSON.stringify(bot.rows("select data from events where type like 'text%'"))).not.toContain('silent')
    await memory.say('ana', '@bobbin and now?', { in: root })
    await memory.eventually(() => expect(memory.answers(root)).toEqual(['Hello.', 'Again.']))
    expect(bot.model.requests).toHaveLength(3)
  })

  test('what it had begun to show is taken away', async () => {
    const shown = Promise.withResolvers<void>()
    const bot = await startMemoryBot({
      script: [says('Hello.'), calls('now', {}), heldUntil(shown.promise, says('[silent]'))],
      config: { show: { firstMs: 1 } },
    })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    await memory.say('ben', 'thanks everyone', { in: root })
    await memory.untilProgress(root)
    shown.resolve()
    await memory.eventually(() => expect(memory.misbehave.callsTo('remove')).toHaveLength(1))
    await bot.settled()
    expect(memory.lives.open).toBe(0)
    expect(memory.answers(root)).toEqual(['Hello.'])
  })

  test.each(['never', 'repairable'] as const)('what it can’t take away (%s) holds nothing up', async (again) => {
    const shown = Promise.withResolvers<void>()
    const bot = await startMemoryBot({
      script: [says('Hello.'), calls('now', {}), heldUntil(shown.promise, says('[silent]')), says('Again.')],
      config: { show: { firstMs: 1 } },
    })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    await memory.say('ben', 'thanks everyone', { in: root })
    await memory.untilProgress(root)
    memory.misbehave.refuse('remove', again, { times: 1_000 })
    shown.resolve()
    await memory.eventually(() => expect(memory.misbehave.callsTo('remove')).toHaveLength(1))
    await memory.say('ana', '@bobbin and now?', { in: root })
    await memory.untilAnswered(root, 'Hello.', 'Again.')
    expect(typesOf(bot)).not.toContain('warning')
  })

  test('`why` gives no reason any more once `retry` has a silent turn tried again', async () => {
    const bot = await startMemoryBot({ script: [says('Hello.'), says('[silent]'), says('At noon.')] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    await memory.say('ben', 'when is lunch?', { in: root })
    await memory.eventually(() => expect(reasons(bot)).toHaveLength(1))
    await memory.say('ben', '@bobbin retry', { in: root })
    await memory.eventually(() => expect(memory.answers(root)).toContain('At noon.'))
    expect(reasons(bot)).toEqual([])
  })

  test.each(['retry', 'resume'])('nor once `%s` has one tried again that failed', async (command) => {
    const script = [says('Hello.'), status(400), status(400), says('At noon.')]
    const bot = await startMemoryBot({ script })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    await memory.say('ben', 'lunch?', { in: root })
    await memory.eventually(() => expect(memory.answers(root)).toHaveLength(2))
    await memory.say('ben', 'when is lunch?', { in: root })
    await memory.eventually(() => expect(reasons(bot)).toHaveLength(1))
    await memory.say('ben', `@bobbin ${command}`, { in: root })
    await memory.eventually(() => expect(memory.answers(root)).toContain('At noon.'))
    expect(reasons(bot)).toEqual([])
  })

  test('it stays silent once a budget is used up, and `why` says so', async () => {
    const usage = { input: 100, output: 1_000, cached: 0 }
    const bot = await startMemoryBot({
      script: [{ ...says('Hello.'), usage }],
      environment: { MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' },
      config: { budgets: { limits: [{ per: 'channel', usd: 0.01 }] } },
    })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    const { id: message } = await memory.say('ben', 'and the harvest?', { in: root })
    await memory.eventually(() => expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(2))
    await bot.settled()
    expect(memory.answers(root)).toEqual(['Hello.'])
    const reason = expect.stringContaining('the budget of $0.01 for this channel this month is used up')
    expect(reasons(bot)).toEqual([{ message, reason }])
    await memory.say('ana', '@bobbin why', { in: root })
    await memory.eventually(() => expect(memory.answers(root).at(-1)).toMatch(/ben: I stopped here because the budget/))
  })

  test('where a plugin ends the turn, `why` says what the plugin says, without secrets', async () => {
    let text: string | undefined
    const closed: Capability = {
      name: 'closed',
      beforeModel: async () => (text === undefined ? undefined : { kind: 'stop', text }),
    }
    const bot = await startMemoryBot({ script: [says('Hello.')], plugins: [closed] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    text = `The office is closed (${key}).`
    const { id: message } = await memory.say('ben', 'when is lunch?', { in: root })
    await memory.eventually(() => expect(reasons(bot)).toHaveLength(1))
    expect(reasons(bot)).toEqual([{ message, reason: expect.stringMatching(/^The office is closed \(.+\)\.$/) }])
    expect(JSON.stringify(reasons(bot))).not.toContain(key)
  })

  test('a turn that said something before it fell silent has left nothing unanswered', async () => {
    const later = Promise.withResolvers<void>()
    const bot = await startMemoryBot({
      script: [says('Hello.'), heldUntil(later.promise, says('At noon.')), says('[silent]')],
    })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    await memory.say('ben', 'when is lunch?', { in: root })
    await memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await memory.say('ben', 'thanks', { in: root })
    later.resolve()
    await memory.eventually(() => expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(2))
    await bot.settled()
    expect(memory.answers(root)).toEqual(['Hello.', 'At noon.'])
    expect(reasons(bot)).toEqual([])
  })

  test('an outage is reported once, and again to whoever mentions it', async () => {
    const bot = await startMemoryBot({ script: (_, number) => (number === 0 ? says('Hello.') : status(400)) })
    const { memory } = bot
    const failed = (count: number) =>
      memory.eventually(() => expect(bot.rows("select id from turns where state = 'failed'")).toHaveLength(count))
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    for (const [place, text] of ['lunch?', 'at noon', 'fine'].entries()) {
      await memory.say('ben', text, { in: root })
      await failed(place + 1)
    }
    await bot.settled()
    expect(memory.answers(root)).toEqual(['Hello.', expect.stringContaining('I couldn’t continue')])
    expect(reasons(bot).map(({ reason }) => reason)).toEqual(
      Array(2).fill(expect.stringContaining('I couldn’t continue')),
    )
    expect(typesOf(bot).filter((type) => type === 'error')).toHaveLength(3)
    await memory.say('ana', '@bobbin and now?', { in: root })
    await memory.eventually(() => expect(memory.answers(root)).toHaveLength(3))
  })

  test('work that fails is reported, though the turn before failed too', async () => {
    const script = [says('Hello.'), status(400), calls('now', {}), status(400)]
    const bot = await startMemoryBot({ script })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    for (const [place, text] of ['and the harvest?', 'count it, please'].entries()) {
      await memory.say('ben', text, { in: root })
      await memory.eventually(() => expect(memory.answers(root)).toHaveLength(place + 2))
    }
    expect(memory.answers(root).at(-1)).toContain('I couldn’t continue')
  })

  test('a mention, or a direct message, gets an answer or hears what is wrong', async () => {
    const bot = await startMemoryBot({ script: [says('[silent]'), empty(), empty(), empty()] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin thanks')
    await memory.untilAnswered(root, '👍')
    const alone = await memory.say('ana', 'thanks', { direct: true, channel: 'ana' })
    await memory.eventually(() => expect(memory.answers(alone).at(-1)).toMatch(/model/i))
    expect(typesOf(bot)).toContain('error')
  })

  test('the practice model knows when it is not meant', async () => {
    const bot = await startMemoryBot()
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin what time is it?')
    await memory.eventually(() => expect(memory.answers(root)).toHaveLength(1))
    await memory.say('ben', 'Great, thanks everyone!', { in: root })
    await memory.eventually(() => expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(2))
    await bot.settled()
    expect(memory.answers(root)).toHaveLength(1)
  })
})

describe('a message that comes late', () => {
  test('is answered with a word about it, once, and the model is told', async () => {
    const bot = await startMemoryBot({ script: [says('It is done.'), says('Yes.')] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin please do it', { copies: 0 })
    memory.pass(72 * hour)
    await memory.deliver(root)
    await memory.eventually(() => expect(memory.answers(root)).toHaveLength(1))
    expect(memory.answers(root)[0]).toMatch(/^_ana wrote this on .*3 days later\..*_\n\nIt is done\.$/)
    expect(JSON.stringify(bot.model.requests[0]?.messages)).toMatch(/please do it.*read 3 days later/)
    await memory.say('ana', 'sure?', { in: root })
    await memory.eventually(() => expect(memory.answers(root)[1]).toBe('Yes.'))
  })

  test('says nothing of it below the age', async () => {
    const bot = await startMemoryBot({ script: [says('It is done.')] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin please do it', { copies: 0 })
    memory.pass(11 * hour)
    await memory.deliver(root)
    await memory.untilAnswered(root, 'It is done.')
  })

  test('what was said before the bot was there is not late', async () => {
    const bot = await startMemoryBot({ script: [says('I see.')] })
    const { memory } = bot
    const root = await memory.say('ana', 'the harvest was poor', { copies: 0 })
    memory.pass(72 * hour)
    await memory.say('ben', '@bobbin what do you say?', { in: root })
    await memory.untilAnswered(root, 'I see.')
    expect(JSON.stringify(bot.model.requests[0]?.messages)).not.toMatch(/read [0-9]+ (days|hours) later/)
  })
})
