import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { type RequestBody, says } from '../support/model-server.ts'

const worksAs = ({ model }: TestBot): string | undefined =>
  JSON.stringify(model.requests.at(-1)?.messages)
    .match(/You work as the agent \w+ now|The section “Agent” no longer applies/g)
    ?.at(-1)

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
  const isOrder = ({ messages: [system] }: RequestBody) => `${system?.content}`.startsWith('Say which of these')
  const bot = await startTestBot({
    config: { sections: { agents: { by_meaning: true } } },
    script: (body) => says(isOrder(body) ? 'coder' : 'Done.'),
  })
  const { conversation } = await bot.chat.say('Which of the two?')
  expect(worksAs(bot)).toBe('You work as the agent coder now')
  await bot.chat.say('agents off', { conversation })
  await bot.chat.say('And of these?', { conversation })
  expect(worksAs(bot)).toBe('The section “Agent” no longer applies')
  expect(bot.model.requests.filter(isOrder)).toHaveLength(1)
})
