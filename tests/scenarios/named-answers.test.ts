import { describe, expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, type RequestBody, says } from '../support/model-server.ts'

const question = { question: 'How?', options: ['@run_command', 'by hand'] }
const script = () => [calls('ask_human', question), says('Thank you.'), says('Yes.')]

const offered = ({ tools }: RequestBody): string[] => (tools ?? []).map((tool) => tool.function.name)

/** Whether the model has the command after the answer, and what it has read since its question. */
async function thanked(bot: MemoryBot, first: Message) {
  await bot.memory.untilAnswered(first, 'Thank you.')
  await bot.settled()
  const request = bot.model.requests.at(-1) as RequestBody
  const asked = request.messages.findLastIndex(({ role }) => role === 'assistant')
  return { tools: offered(request), read: request.messages.slice(asked + 1).map(({ content }) => `${content}`) }
}

async function asking() {
  const bot = await startMemoryBot({ script: script() })
  const first = await bot.memory.say('ana', '@bobbin do it', { files: { 'a b.csv': '1,2' } })
  return { bot, first, card: await bot.memory.untilCard(first) }
}

describe('an answer that somebody writes', () => {
  test('loads the tools that it names', async () => {
    const { bot, first } = await asking()
    await bot.memory.say('ana', 'use @run_command please', { in: first })
    const { tools, read } = await thanked(bot, first)
    expect(tools).toContain('run_command')
    expect(read).toEqual(['ana answered: use @run_command please', '[ana] use @run_command please'])
    expect(bot.rows("select data from events where type = 'tools_loaded'")).toHaveLength(1)
  })

  test('means the files that it names', async () => {
    const { bot, first } = await asking()
    await bot.memory.say('ana', 'like in #a b.csv', { in: first })
    expect((await thanked(bot, first)).read.at(-1)).toContain('#a b.csv is the file "uploads/a b.csv" (3 bytes).')
  })

  test('does so when it arrives before its card is known to be posted', async () => {
    const bot = await startMemoryBot({ script: script() })
    const held = bot.memory.misbehave.hold('post', { done: true, fits: ({ key }) => key?.startsWith('card_') === true })
    const first = await bot.memory.say('ana', '@bobbin do it')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.say('ana', '@bobbin use @run_command', { in: first })
    held.release()
    const { tools } = await thanked(bot, first)
    expect(tools).toContain('run_command')
  })

  test('is changed wherever it was read when it is deleted', async () => {
    const { bot, first } = await asking()
    const answer = await bot.memory.say('ana', 'use @run_command, secretly', { in: first })
    await thanked(bot, first)
    await bot.memory.delete(answer)
    await bot.memory.say('ana', '@bobbin and?', { in: first })
    await bot.memory.untilAnswered(first, 'Thank you.', 'Yes.')
    expect(JSON.stringify(bot.model.requests.at(-1))).not.toContain('secretly')
  })

  test('in a form does the same', async () => {
    const { bot, first, card } = await asking()
    await bot.memory.click('ana', card, { kind: 'question', answer: 'use @run_command' })
    expect((await thanked(bot, first)).tools).toContain('run_command')
  })
})

test.each(['@run_command', '1'])('an option that is chosen by %s loads nothing', async (answer) => {
  const { bot, first, card } = await asking()
  await bot.memory.click('ana', card, { kind: 'question', answer })
  const { tools, read } = await thanked(bot, first)
  expect(tools).not.toContain('run_command')
  expect(read).toEqual(['ana answered: @run_command'])
})

test('an e-mail address in an answer isn’t read twice', async () => {
  const { bot, first } = await asking()
  await bot.memory.say('ana', 'ask ben@example.com', { in: first })
  expect((await thanked(bot, first)).read).toEqual(['ana answered: ask ben@example.com'])
})

test('in the console, too', async () => {
  const bot = await startTestBot({ script: script() })
  const { conversation } = await bot.chat.say('do it')
  const [request] = await bot.chat.requests()
  await bot.chat.answer(request?.id ?? '', { answer: 'use @run_command' })
  await bot.chat.untilType(conversation, 'complete')
  expect(offered(bot.model.requests.at(-1) as RequestBody)).toContain('run_command')
})

describe('when what the bot was asked is deleted', () => {
  const ended = (bot: MemoryBot) => bot.rows('select state from turns').map(({ state }) => state)

  test('an answer that names something doesn’t keep the turn going', async () => {
    const script = [calls('ask_human', question), hang(3)]
    const bot = await startMemoryBot({ script })
    const first = await bot.memory.say('ana', '@bobbin do it')
    await bot.memory.untilCard(first)
    await bot.memory.say('ben', 'use @run_command', { in: first })
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await bot.memory.delete(first)
    await bot.memory.eventually(() => expect(ended(bot)).toEqual(['stopped']))
  })

  test('nor does it begin another one if it was not read yet', async () => {
    const asked = calls('ask_human', question, ['ask_human', { question: 'What?' }])
    const bot = await startMemoryBot({ script: [asked, says('Thank you.')] })
    const first = await bot.memory.say('ana', '@bobbin do it')
    await bot.memory.untilCard(first, 2)
    await bot.memory.say('ben', 'use @run_command', { in: first })
    await bot.memory.eventually(() =>
      expect(bot.rows("select id from requests where state = 'answered'")).toHaveLength(1),
    )
    await bot.memory.delete(first)
    await bot.settled()
    expect(ended(bot)).toEqual(['stopped'])
    expect(bot.model.requests).toHaveLength(1)
  })
})
