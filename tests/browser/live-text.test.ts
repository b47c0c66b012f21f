import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { hang, says } from '../support/model-server.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'a text that streams stands there once, after a reload as well, and as far as it was shown after a stop (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [hang(4, says('one two three four five six'))] })
    const page = await openPage(bot.chat.url)
    await page.getByLabel('Message', { exact: true }).fill('talk')
    await page.keyboard.press('Enter')
    const shown = async (what: string) => (await page.locator(what).allInnerTexts()).map((one) => one.trim())
    const text = page.getByText('one two three')
    await text.waitFor()

    await page.reload()
    await text.waitFor()
    expect(await shown('.prose.live')).toEqual(['one two three'])
    await page.getByRole('button', { name: 'Stop' }).first().click()
    await page.locator('.prose:not(.live)').first().waitFor()
    expect(await shown('.prose')).toEqual(['one two three'])
  },
)
