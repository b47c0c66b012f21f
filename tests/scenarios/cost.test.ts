import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { onPostgres } from '../support/database.ts'
import { calls, says } from '../support/model-server.ts'

const priced = { MODEL_BASE_PRICE_INPUT: '2', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_PRICE_CACHED: '0.5' }
const usage = { input: 1_000, output: 100, cached: 400 }
/** 600 fresh at $2, 400 cached at $0.50 and 100 out at $10 a million. */
const usd = 0.0024

const today = new Date().toISOString().slice(0, 10)
/** It begins at noon, because a real one may pass midnight in the middle. */
function onOneDay() {
  const late = Date.parse(`${today}T12:00:00Z`) - Date.now()
  return { now: () => Date.now() + late }
}

/** What the bot says to a command. An answer from before may be posted below it. */
async function told(bot: TestBot, text: string, options: { conversation?: string; user?: string } = {}) {
  const { events } = await bot.chat.say(text, options)
  return events
    .flatMap(({ type, data }) =>
      type === 'message' && data.role === 'assistant' && data.turn_id === undefined ? [data.text] : [],
    )
    .join()
}

async function usageBy(bot: TestBot, query: string) {
  const response = await fetch(`${bot.chat.url}/api/v1/usage?${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as { usage: Record<string, unknown>[]; total_usd: number }
}

test('each call is counted once with its price, by day, channel, person, model and tool, over a restart', async () => {
  const bot = await startTestBot({
    script: [
      { ...calls('now', {}), usage },
      { ...says('Noon.'), usage },
      { ...says('Hello.'), usage },
    ],
    environment: priced,
    clock: onOneDay(),
  })
  const said = await bot.chat.say('what time is it?', { user: 'ana' })
  expect(ofType(said.events, 'cost_update').map(({ data }) => data)).toMatchObject([
    { slot: 'base', model: 'scripted', tokens_in: 1_000, tokens_cached: 400, tokens_out: 100, usd },
    { usd },
  ])
  await bot.chat.say('hello', { user: 'ben' })
  await bot.restart()
  const line = { calls: 3, tokens_in: 3_000, tokens_cached: 1_200, tokens_out: 300, usd: usd * 3 }
  expect(await usageBy(bot, '')).toEqual({
    by: 'day',
    usage: [expect.objectContaining({ day: today })],
    has_more: false,
    total_usd: usd * 3,
    unpriced: [],
  })
  expect((await usageBy(bot, 'by=channel')).usage).toMatchObject([{ ...line, project_id: 'general' }])
  expect((await usageBy(bot, 'by=tenant')).usage).toMatchObject([{ ...line, platform: 'console' }])
  expect((await usageBy(bot, 'by=thread')).usage).toMatchObject([
    { conversation_id: said.conversation, title: 'what time is it?', calls: 2 },
    { title: 'hello', calls: 1 },
  ])
  expect((await usageBy(bot, 'by=model')).usage).toMatchObject([{ ...line, model: 'scripted', slot: 'base' }])
  expect((await usageBy(bot, 'by=person')).usage.map(({ user_name, calls: count }) => [user_name, count])).toEqual([
    ['ana', 2],
    ['ben', 1],
  ])
  expect(await usageBy(bot, 'by=person&limit=1')).toMatchObject({
    usage: [{ user_name: 'ana' }],
    has_more: true,
    total_usd: usd * 3,
  })
  expect((await usageBy(bot, 'by=tool')).usage.map(({ tool_name, calls: count }) => [tool_name, count])).toEqual([
    ['answer', 2],
    ['now', 1],
  ])
  expect((await usageBy(bot, `conversation_id=${said.conversation}`)).total_usd).toBe(usd * 2)
  expect((await usageBy(bot, 'since=2999-01-01')).usage).toEqual([])
  const words = await told(bot, 'cost', { conversation: said.conversation, user: 'ana' })
  expect(words).toContain('- This thread: $0.0048, 2,000 tokens in (800 from the cache), 200 out')
  expect(words).toContain('- This channel today: $0.0072')
  // Prices change, what was paid doesn't.
  await bot.stop()
  const database: Record<string, string> = onPostgres ? { DATABASE_URL: bot.database } : {}
  const environment = { ...priced, MODEL_BASE_PRICE_INPUT: '200', BOBBIN_DATA_DIR: bot.dataDir, ...database }
  const later = await startTestBot({ script: [], environment })
  expect(await told(later, '/status', { conversation: said.conversation })).toContain('- Cost: $0.0048\n')
})

test('without a price nothing is recorded, and `cost` says what to do', async () => {
  const bot = await startTestBot({ script: [{ ...says('Hello.'), usage }] })
  const { conversation, events } = await bot.chat.say('hello')
  expect(ofType(events, 'cost_update')).toEqual([])
  expect(await usageBy(bot, 'by=day')).toMatchObject({ usage: [], total_usd: 0 })
  expect(await told(bot, 'cost', { conversation })).toMatch(/^The price of scripted isn’t known[^$]*$/)
})

test('a server that counts no tokens costs about what it was sent', async () => {
  const { usage: _, ...uncounted } = { ...says('Hello.'), usage: undefined }
  const bot = await startTestBot({ script: [uncounted], environment: priced })
  const [update] = ofType((await bot.chat.say('hello')).events, 'cost_update')
  expect(update?.data.tokens_in).toBeGreaterThan(100)
})
