import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { png } from '../support/images.ts'
import { calls, type ModelScript, type RequestBody, says, startModelServer, status } from '../support/model-server.ts'

const asJson = (body: RequestBody | undefined): string => JSON.stringify(body?.messages)
const hasImage = (body: RequestBody | undefined): boolean => asJson(body).includes('"image_url"')
const files = { 'dot.png': png }
const isOrder = (body: RequestBody): boolean => asJson(body).includes('You describe images for an assistant')

/** Models for images and for reasoning beside the base model, each of which has a price. */
async function botWith(seeing: ModelScript, base: ModelScript, reasoning: ModelScript = () => says('Reasoned.')) {
  const [eyes, mind] = [await startModelServer(seeing), await startModelServer(reasoning)]
  onTestFinished(async () => {
    await Promise.all([eyes.close(), mind.close()])
  })
  const environment = {
    MODEL_VISION_BASE_URL: eyes.url,
    MODEL_VISION_ID: 'eyes',
    MODEL_VISION_API_KEY: 'k',
    MODEL_VISION_PRICE_INPUT: '0',
    MODEL_VISION_PRICE_OUTPUT: '10',
    MODEL_REASONING_BASE_URL: mind.url,
    MODEL_REASONING_ID: 'mind',
    MODEL_REASONING_API_KEY: 'k',
  }
  return { bot: await startTestBot({ script: base, environment, config: { attempts: 1 } }), eyes, mind }
}

const description = {
  ...says('uploads/dot.png: a red dot on white, with the words "Berth 9".'),
  usage: { input: 900, output: 1_000, cached: 0 },
}

test('a chosen model that can’t see reads a description, made once; it is kept, and counts as cost', async () => {
  const { bot, eyes, mind } = await botWith(
    () => description,
    () => says('Base.'),
    (_, number) => [status(503), calls('now', {}), says('It is red.'), says('Still red.')][number],
  )
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('use reasoning', { conversation })
  // Its first attempt fails, and the next model is told the same words.
  expect((await bot.chat.say('what is this?', { conversation, files })).text).toBe('Base.')
  expect(asJson(bot.model.requests.at(-1))).toContain('Berth 9')
  const said = await bot.chat.say('and now?', { conversation })
  expect(said.text).toBe('It is red.')
  expect(eyes.requests).toHaveLength(1)
  expect(hasImage(eyes.requests[0])).toBe(true)
  expect(asJson(eyes.requests[0])).toContain('what is this?')
  expect(mind.requests.some(hasImage)).toBe(false)
  for (const body of mind.requests) {
    expect(asJson(body)).toContain('<data source=\\"a description of images\\">\\nuploads/dot.png: a red dot')
    expect(asJson(body).split('Berth 9')).toHaveLength(2)
  }
  const { usage } = await bot.chat.get<{ usage: { model: string; usd: number }[] }>('/usage?by=model')
  expect(JSON.stringify(usage ?? (await bot.chat.get('/usage?by=model')))).toContain('eyes')
  expect(ofType(await bot.chat.events(conversation), 'cost_update').map(({ data }) => data)).toMatchObject([
    { model: 'eyes', slot: 'vision', usd: 0.01, tokens_out: 1_000 },
  ])
  // Whoever names it is answered by a new description.
  await bot.chat.say('and the corner of #dot.png?', { conversation })
  expect(eyes.requests).toHaveLength(2)
  expect(bot.model.violations).toEqual([])
})

test('a description that is cut says so', async () => {
  const { bot, mind } = await botWith(
    () => ({ ...description, finish: 'length' }),
    () => says('Base.'),
  )
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('use reasoning', { conversation })
  await bot.chat.say('what is this?', { conversation, files })
  expect(asJson(mind.requests.at(-1))).toContain('Berth 9\\".\\n\\n_The model reached its output limit')
})

test('a vision model that calls tools without a word has to describe the images for the next steps', async () => {
  const { bot, eyes } = await botWith(
    (body) => (isOrder(body) ? description : calls('now', {})),
    () => says('Berth 9, then.'),
  )
  const said = await bot.chat.say('what is this?', { files })
  expect(said.text).toBe('Berth 9, then.')
  expect(eyes.requests.map(isOrder)).toEqual([false, true])
  expect(bot.model.requests).toHaveLength(1)
  expect(asJson(bot.model.requests[0])).toContain('Berth 9')
  expect(hasImage(bot.model.requests[0])).toBe(false)
  expect(bot.model.violations).toEqual([])
})

test('a vision model that ends the turn without a word beside has given the answer', async () => {
  const { bot } = await botWith(
    (body) => (isOrder(body) ? description : calls('finish', { summary: 'It is berth 9.' })),
    () => says('Done.'),
  )
  expect((await bot.chat.say('what is this?', { files })).text).toBe('It is berth 9.')
  expect(bot.model.requests).toEqual([])
})

test('when the description fails, the chosen model is told that nobody saw the images', async () => {
  const { bot, mind } = await botWith(
    () => status(400),
    () => says('Base.'),
    (_, number) => (number === 0 ? status(400, { message: 'maximum context length exceeded' }) : says('Reasoned.')),
  )
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('use reasoning', { conversation })
  const said = await bot.chat.say('what is this?', { conversation, files })
  expect(said.text).toBe('Reasoned.')
  // Also in the shorter request after one that was too long.
  expect(mind.requests).toHaveLength(2)
  for (const body of mind.requests) expect(asJson(body)).toContain('no model here can see it')
  expect(ofType(said.events, 'warning').map(({ data }) => data.code)).toEqual(['images_not_seen'])
})

test('a chosen model that can see is shown images, even if there is no model for them', async () => {
  const mind = await startModelServer(() => says('A red dot.'))
  onTestFinished(() => mind.close())
  const environment = {
    MODEL_REASONING_BASE_URL: mind.url,
    MODEL_REASONING_ID: 'gpt-4o',
    MODEL_REASONING_API_KEY: 'k',
  }
  const bot = await startTestBot({ script: () => says('Base.'), environment })
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('use reasoning', { conversation })
  expect((await bot.chat.say('what is this?', { conversation, files })).text).toBe('A red dot.')
  expect(mind.requests.map(hasImage)).toEqual([true])
})
