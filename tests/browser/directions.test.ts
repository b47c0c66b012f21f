import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls } from '../support/model-server.ts'

const openPage = useBrowser()

const directionsOf = (page: Page, selectors: string[]) =>
  page.evaluate(`Object.fromEntries(${JSON.stringify(selectors)}.map((selector) =>
    [selector, getComputedStyle(document.querySelector(selector)).direction]))`)

test.skipIf(withoutBrowser)(
  'what people write from right to left is shown so, and code in it isn’t (needs chromium)',
  async () => {
    const ask = calls('ask_human', { question: 'איפה נפגשים?', options: ['ברלין, Mitte', 'וינה'] })
    const bot = await startTestBot({ script: [ask] })
    const { conversation } = await bot.chat.say('שלום, איפה? `npm start`')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.locator('.thread-title').waitFor()
    await page.locator('.card textarea').fill('בתחנה')
    await page.locator('.composer textarea').fill('שלום')
    const rightToLeft = [
      '.plain-text',
      '.card h2',
      '.option-words',
      '.card textarea',
      '.composer textarea',
      '.thread-title',
      '.header h1',
    ]
    const found = await directionsOf(page, [...rightToLeft, '.plain-text code', '.card header'])
    const expected = Object.fromEntries(rightToLeft.map((selector) => [selector, 'rtl']))
    expect(found).toEqual({ ...expected, '.plain-text code': 'ltr', '.card header': 'ltr' })
  },
)
