import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { says } from '../support/model-server.ts'

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
