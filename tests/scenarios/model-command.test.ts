import { expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { says, startModelServer } from '../support/model-server.ts'

async function told(
  bot: TestBot,
  text: string,
  options: { conversation?: string; user?: string } = {},
): Promise<string> {
  const { events } = await bot.chat.say(text, options)
  return events
    .flatMap((one) => (one.type === 'message' && one.data.role === 'assistant' ? [one.data.text] : []))
    .join()
}

test('a chosen model answers in the thread and in the next ones of this person, over a restart', async () => {
  const seeing = await startModelServer(() => says('From vision.'))
  onTestFinished(() => seeing.close())
  const environment = { MODEL_VISION_API_KEY: 'test-key', MODEL_VISION_BASE_URL: seeing.url, MODEL_VISION_ID: 'eyes' }
  const bot = await startTestBot({ script: () => says('From base.'), environment })
  const { conversation, text } = await bot.chat.say('hello', { user: 'ana' })
  const ana = { conversation, user: 'ana' }
  expect(text).toBe('From base.')
  expect(await told(bot, 'model', ana)).toContain('This thread uses `base` (scripted).')
  expect(await told(bot, 'model vision', ana)).toContain('will come from `vision` (eyes)')
  expect((await bot.chat.say('and now?', ana)).text).toBe('From vision.')
  expect(await told(bot, 'status', ana)).toContain('Model: eyes (vision)')
  await bot.restart()
  expect((await bot.chat.say('a new thread', { user: 'ana' })).text).toBe('From vision.')
  expect((await bot.chat.say('a new thread', { user: 'ben' })).text).toBe('From base.')
  await told(bot, 'model base', ana)
  expect((await bot.chat.say('a newer thread', { user: 'ana' })).text).toBe('From base.')
})

test('`model auto` lets the bot choose again, in the thread and in the next ones of this person', async () => {
  const coding = await startModelServer(() => says('From code.'))
  onTestFinished(() => coding.close())
  const environment = { MODEL_CODE_API_KEY: 'test-key', MODEL_CODE_BASE_URL: coding.url, MODEL_CODE_ID: 'coder' }
  const bot = await startTestBot({ script: () => says('From base.'), environment })
  const code = 'what is wrong here?\n```js\nlet let\n```'
  const { conversation } = await bot.chat.say('hello', { user: 'ana' })
  await told(bot, 'model base', { conversation, user: 'ana' })
  expect((await bot.chat.say(code, { user: 'ana' })).text).toBe('From base.')
  expect(await told(bot, 'model auto', { conversation, user: 'ana' })).toBe(
    'From my next answer on, I choose the model by what you ask, here and in threads you start later.',
  )
  expect((await bot.chat.say(code, { conversation, user: 'ana' })).text).toBe('From code.')
  expect((await bot.chat.say(code, { user: 'ana' })).text).toBe('From code.')
})

test('what is not configured is said', async () => {
  const bot = await startTestBot({ script: [] })
  expect(await told(bot, 'model vision')).toContain('The `vision` model isn’t set up.')
  expect(await told(bot, 'model reasoning')).toContain('The `reasoning` model isn’t set up.')
  expect(await told(bot, '/model railway')).toContain('There’s no model called `railway`.')
})
