import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makes, planning, step } from '../plans/support.ts'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'

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

test.skipIf(withoutBrowser)(
  'notes on a plan and the title of a thread are written from right to left (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: planning([makes([step('וינה')], { confidence: 50 })], () => says('')) })
    const { conversation } = await bot.chat.say('שלום')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByLabel('Add a note to step 1').fill('בתחנה')
    await page.getByLabel('Add a note to the whole plan').fill('בתחנה')
    await page.locator('.header').getByRole('button', { name: 'Thread actions' }).click()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('שלום')
    const fields = ['.plan-tools input', '.plan-words', '.thread-form input']
    expect(await directionsOf(page, fields)).toEqual(Object.fromEntries(fields.map((one) => [one, 'rtl'])))
  },
)
