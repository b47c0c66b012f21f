import { expect, test } from 'vitest'
import { family, long, requestsOf } from '../delegation/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const worksAs = ({ model }: TestBot): string | undefined =>
  JSON.stringify(model.requests.at(-1)?.messages)
    .match(/You work as the agent \w+ now|The section “Agent” no longer applies/g)
    ?.at(-1)

const isOrder = ({ messages: [system] }: RequestBody) => `${system?.content}`.startsWith('Say which of these')
const byMeaning = { sections: { agents: { by_meaning: true } } }

test('after `agents off`, words give the thread to no agent until a person does', async () => {
  const reader = { description: 'Reads.', prompt: 'Read.', triggers: ['look it up'] }
  const poet = { description: 'Writes.', prompt: 'Write.' }
  const routes = { both: { words: ['compare'], how: 'parallel', agents: ['reader', 'poet'] } }
  const bot = await startTestBot({
    config: { sections: { agents: { by_words: true, routes, agents: { reader, poet } } } },
    script: () => says('Done.'),
  })
  const { conversation } = await bot.chat.say('Look it up!')
  const say = (text: string) => bot.chat.say(text, { conversation })
  expect(worksAs(bot)).toBe('You work as the agent reader now')
  await say('agents off')
  await say('Look it up!')
  expect(worksAs(bot)).toBe('The section “Agent” no longer applies')
  await say('Compare them!')
  expect(bot.model.requests).toHaveLength(3)
  await say('@poet hello')
  expect(worksAs(bot)).toBe('You work as the agent poet now')
})

test('after `agents off`, nobody is asked what a request means', async () => {
  const bot = await startTestBot({ config: byMeaning, script: (body) => says(isOrder(body) ? 'coder' : 'Done.') })
  const { conversation } = await bot.chat.say('Which of the two?')
  expect(worksAs(bot)).toBe('You work as the agent coder now')
  await bot.chat.say('agents off', { conversation })
  await bot.chat.say('And of these?', { conversation })
  expect(worksAs(bot)).toBe('The section “Agent” no longer applies')
  expect(bot.model.requests.filter(isOrder)).toHaveLength(1)
})

test('`agents off` holds also if the agent has given the thread back already', async () => {
  const bot = await startTestBot({
    config: byMeaning,
    script: (body) => {
      if (isOrder(body)) return says('coder')
      const isBack = JSON.stringify(body.messages).includes('Bobbin itself has this thread')
      return isBack ? says('Done.') : calls('transfer_back', { why: 'Nothing to do.' })
    },
  })
  const { conversation } = await bot.chat.say('Which of the two?')
  expect(worksAs(bot)).toBe('The section “Agent” no longer applies')
  expect(bot.model.requests.filter(isOrder)).toHaveLength(1)
  const { events } = await bot.chat.say('agents off', { conversation })
  expect(JSON.stringify(events)).toContain('until somebody names one')
  await bot.chat.say('And of these?', { conversation })
  expect(worksAs(bot)).toBe('The section “Agent” no longer applies')
  expect(bot.model.requests.filter(isOrder)).toHaveLength(1)
})

test('`agents off` holds also where only routes would choose', async () => {
  const routes = { both: { words: ['compare'], how: 'delegate', agents: ['explorer', 'coder'] } }
  const bot = await startTestBot({ config: { sections: { agents: { routes } } }, script: () => says('Done.') })
  const isSplit = () => JSON.stringify(bot.model.requests.at(-1)?.messages.at(-1)).includes('Split the request')
  const { conversation } = await bot.chat.say('Compare them!')
  expect(isSplit()).toBe(true)
  await bot.chat.say('agents off', { conversation })
  await bot.chat.say('Compare these too!', { conversation })
  expect(isSplit()).toBe(false)
})

test('`agents off` holds also while it is asked what a request means', async () => {
  const isOff = Promise.withResolvers<void>()
  const bot = await startTestBot({
    config: byMeaning,
    script: (body) => (isOrder(body) ? heldUntil(isOff.promise, says('coder')) : says('Done.')),
  })
  const said = bot.chat.say('Which of the two?')
  await eventually(() => expect(bot.model.requests).toHaveLength(1))
  const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
  await bot.chat.say('agents off', { conversation: conversations[0]?.id ?? '' })
  isOff.resolve()
  expect((await said).text).toBe('Done.')
  expect(worksAs(bot)).toBeUndefined()
})

test('after `agents off`, Bobbin itself hands the thread to no agent until a person names one', async () => {
  const transfer = calls('transfer_to_coder', { why: 'It codes.' })
  const bot = await startTestBot({
    config: { sections: { agents: { hand_over: true } } },
    script: [says('Hello.'), transfer, says('Then myself.'), says('Coded.')],
  })
  const offered = () => bot.model.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? []
  const { conversation } = await bot.chat.say('hello')
  const say = (text: string) => bot.chat.say(text, { conversation })
  expect(offered()).toContain('transfer_to_coder')
  await say('agents off')
  expect((await say('Write it.')).text).toBe('Then myself.')
  expect(offered()).not.toContain('transfer_to_coder')
  expect(worksAs(bot)).toBeUndefined()
  expect((await say('@coder write it')).text).toBe('Coded.')
  expect(worksAs(bot)).toBe('You work as the agent coder now')
})

test('`agents off` ends no chain that works on a request', async () => {
  const [isNamed, isOff] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const routes = { three: { words: ['compare'], how: 'chain', agents: ['explorer', 'researcher', 'reviewer'] } }
  const agentIn = (body: RequestBody) => /You work as the agent (\w+) now/.exec(`${body.messages[0]?.content}`)?.[1]
  const bot = await startMemoryBot({
    config: { sections: { agents: { routes } } },
    script: (body) => {
      const child = family([], [says(long('Looked at.'))])(body)
      if (child === undefined) return says('Put together.')
      return heldUntil(agentIn(body) === 'explorer' ? isNamed.promise : isOff.promise, child)
    },
  })
  const { memory } = bot
  const workers = () => requestsOf(bot.model.requests, 'child').map(agentIn)
  const root = await memory.say('ana', '@bobbin compare the offers')
  await memory.eventually(() => expect(workers()).toEqual(['explorer']))
  await memory.say('ben', '@bobbin @coder keep an eye on it', { in: root })
  isNamed.resolve()
  await memory.eventually(() => expect(workers()).toEqual(['explorer', 'researcher']))
  await memory.say('ben', '@bobbin agents off', { in: root })
  await memory.eventually(() => expect(JSON.stringify(bot.rows('select agents from sessions'))).toContain('isOff'))
  isOff.resolve()
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toContain('Put together.'))
  expect(workers()).toEqual(['explorer', 'researcher', 'reviewer'])
})
