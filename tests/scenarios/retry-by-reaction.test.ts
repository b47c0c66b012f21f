import { expect, test } from 'vitest'
import { type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const onlyLast = 'I can only retry the last message in a thread. For an older one, ask me again.'

test('a reaction retries the last question and its answers, as often as people like, and no older one', async () => {
  const texts = ['One.', 'Two.', 'Two!', 'Two?']
  const bot = await startMemoryBot({ script: texts.map((text) => says(text)) })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin one')
  await memory.untilAnswered(first, 'One.')
  const second = await memory.say('ben', '@bobbin two', { in: first })
  await memory.untilAnswered(first, 'One.', 'Two.')
  await bot.settled()
  const retry = (on = second) => memory.command('ana', 'retry', first, { on })
  const [one, two] = memory.shown(first)

  expect(await retry(first)).toBe(onlyLast)
  expect(await retry(one)).toBe(onlyLast)
  expect(await retry(two)).toBe('Trying again.')
  await memory.untilAnswered(first, 'One.', 'Two.', 'Two!')
  await bot.settled()
  expect(await retry(one)).toBe(onlyLast)
  expect(await retry(second)).toBe('Trying again.')
  await memory.untilAnswered(first, ...texts)
})

test('a reaction to the card of an older turn retries nothing, and one to the last card does', async () => {
  const asks = calls('ask_human', { question: 'Which?', options: ['a', 'b'] })
  const bot = await startMemoryBot({ script: [asks, says('One.'), asks, says('Two.'), says('Two!')] })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin one')
  const answer = async () => memory.click('ana', await memory.untilCard(first), { kind: 'question', answer: 'a' })
  await answer()
  await memory.untilAnswered(first, 'One.')
  await memory.say('ana', '@bobbin two', { in: first })
  await answer()
  await memory.untilAnswered(first, 'One.', 'Two.')
  await bot.settled()
  const [older, , newer] = memory.shown(first)

  const retry = (on: Message | undefined) => memory.command('ana', 'retry', first, { on: on ?? first })
  expect(await retry(older)).toBe(onlyLast)
  expect(await retry(newer)).toBe('Trying again.')
  await memory.untilAnswered(first, 'One.', 'Two.', 'Two!')
})
