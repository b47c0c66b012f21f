import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { says } from '../support/model-server.ts'

const openPage = useBrowser()

/** Events that browsers deliver a frame or a task later: by then, what they are about may be gone. */
const late = [
  ['.scroller', 'scroll'],
  ['.composer input[type=file]', 'change'],
]

test.skipIf(withoutBrowser)('what happened just before one leaves a thread is no error (needs chromium)', async () => {
  const bot = await startTestBot({ script: [says('Nothing new.')] })
  const { conversation } = await bot.chat.say('What is new?', { user: 'ana' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  await page.getByText('Nothing new.').waitFor()
  await page.evaluate(`window.errors = []
    addEventListener('error', (event) => window.errors.push(event.message))
    window.left = ${JSON.stringify(late)}.map(([selector, type]) => [document.querySelector(selector), type])`)
  await page.getByRole('link', { name: 'Trust' }).click()
  await expect.poll(() => page.evaluate('window.left.filter(([one]) => one.isConnected).length')).toBe(0)
  await page.evaluate('for (const [one, type] of window.left) one.dispatchEvent(new Event(type))')
  expect(await page.evaluate('window.errors')).toEqual([])
})
