import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'while the bot answers nothing, the page asks once, and once more when it answers again (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [] })
    const page = await openPage(bot.chat.url)
    await page.getByLabel('Message', { exact: true }).waitFor()
    const answers = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/requests?status=pending', async (route) => {
      asked += 1
      await answers.promise
      await route.continue()
    })
    // The page looks at the bot's health with each third look at the rest.
    await page.waitForRequest('**/health')
    await page.waitForRequest('**/health')
    expect(asked).toBe(1)
    answers.resolve()
    await expect.poll(() => asked).toBeGreaterThan(1)
  },
)
