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
