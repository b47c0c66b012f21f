import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'the console shows what calls have cost, by whatever is chosen (needs chromium)',
  async () => {
    const usage = { input: 1_000_000, output: 0, cached: 0 }
    const bot = await startTestBot({
      script: [
        { ...calls('now', {}), usage },
        { ...says('Noon.'), usage },
      ],
      environment: { MODEL_BASE_PRICE_INPUT: '1.5' },
    })
    await bot.chat.say('what time is it?', { user: 'ana' })
    const page = await openPage(bot.chat.url)
    await page.getByRole('link', { name: 'Costs' }).click()
    const table = page.getByRole('table', { name: 'Costs' })
    await page.getByText('Total: $3.00').waitFor()
    expect(await table.getByRole('row').nth(1).innerText()).toMatch(/^\d{4}-\d\d-\d\d\s+\$3\.00\s+2\s+2,000,000/)
    await picture(page, 'costs')
    await page.getByLabel('By').selectOption('person')
    await table.getByText('ana (Console)').waitFor()
    await page.getByLabel('By').selectOption('thread')
    await table.getByRole('link', { name: 'what time is it?' }).waitFor()
    await page.getByLabel('By').selectOption('tool')
    await table.getByText('answers without a tool').waitFor()
    expect(await table.getByRole('row').count()).toBe(3)
  },
)

test.skipIf(withoutBrowser)(
  'what costs a lot to add up is asked for once, and nothing is asked for while it is still being answered (needs chromium)',
  async () => {
    const bot = await startTestBot()
    const page = await openPage(bot.chat.url)
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    const times = (path: string) => asked.filter((one) => one.endsWith(path)).length
    await page.getByRole('link', { name: 'Costs' }).click()
    await page.getByText('Total: $0.00').waitFor()
    await page.clock.runFor(60_000)

    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/agents*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Agents' }).click()
    await until('the agents are asked for', () => times('/api/v1/agents') > 0 || undefined)
    await page.clock.runFor(60_000)
    const before = times('/api/v1/agents')
    held.resolve()
    await page.getByRole('button', { name: 'New agent' }).waitFor()
    expect([times('/api/v1/usage'), before]).toEqual([1, 1])
  },
)

test.skipIf(withoutBrowser)(
  'while another period is added up, and if that fails, no figures stand under its name (needs chromium)',
  async () => {
    const usage = { input: 1_000_000, output: 0, cached: 0 }
    const bot = await startTestBot({
      script: [{ ...says('Hello.'), usage }],
      environment: { MODEL_BASE_PRICE_INPUT: '1.5' },
    })
    await bot.chat.say('hello', { user: 'ana' })
    const page = await openPage(bot.chat.url)
    await page.getByRole('link', { name: 'Costs' }).click()
    await page.getByText('Total: $1.50').waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route('**/usage?by=day', async (route) => {
      await answered.promise
      const error = { code: 'busy', message: 'The bot is busy.', remedy: 'Ask again.' }
      await route.fulfill({ status: 503, json: { error } })
    })
    await page.getByLabel('From').selectOption('the beginning')
    await page.getByLabel('Loading').waitFor()
    const figures = () => page.getByText('$1.50').count()
    expect(await figures()).toBe(0)
    answered.resolve()
    await page.getByText('The bot is busy. Ask again.').waitFor()
    expect(await figures()).toBe(0)
    await page.getByLabel('From').selectOption('this month')
    await page.getByText('Total: $1.50').waitFor()
    expect(await page.getByText('The bot is busy.').count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)('costs that aren’t shown or counted are told of (needs chromium)', async () => {
  const usage = { input: 1_000_000, output: 0, cached: 0 }
  const bot = await startTestBot({
    script: () => ({ ...says('Hello.'), usage }),
    environment: {
      MODEL_BASE_PRICE_INPUT: '1.5',
      MODEL_CODE_ID: 'unpriced-coder',
      MODEL_CODE_BASE_URL: 'http://127.0.0.1:9/v1',
    },
  })
  for (const text of ['one', 'two', 'three']) await bot.chat.say(text, { user: 'ana' })
  const page = await openPage(bot.chat.url)
  await page.route('**/usage?by=thread*', async (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '2')
    await route.continue({ url: url.href })
  })
  await page.getByRole('link', { name: 'Costs' }).click()
  await page.getByText('Total: $4.50').waitFor()
  await page.getByText('The price of unpriced-coder isn’t known').waitFor()
  const cut = page.getByText('The other lines aren’t shown')
  expect(await cut.count()).toBe(0)
  await page.getByLabel('By').selectOption('thread')
  await cut.waitFor()
  expect(await page.getByRole('table', { name: 'Costs' }).getByRole('row').count()).toBe(3)
})
