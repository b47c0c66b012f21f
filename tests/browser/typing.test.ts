import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'

const openPage = useBrowser()

/** Pastes what is given and a picture; true if the browser goes on to paste the text. */
const paste = (page: Page, kinds: Record<string, string>): Promise<boolean> =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(kinds)})) clipboardData.setData(type, text)
    clipboardData.items.add(new File(['bits'], 'image.png', { type: 'image/png' }))
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('.composer textarea').dispatchEvent(event)
  }`)

test.skipIf(withoutBrowser)(
  'cells and text of an office program are pasted as text, a picture as a file (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [] })
    const page = await openPage(bot.chat.url)
    await page.getByLabel('Message', { exact: true }).waitFor()
    const goesOn = await paste(page, { 'text/plain': 'a\tb', 'text/html': '<table><tr><td>a<td>b</table>' })
    expect(goesOn).toBe(true)
    expect(await page.getByLabel('Files to send').count()).toBe(0)
    expect(await paste(page, { 'text/html': '<img src="fox.png">' })).toBe(false)
    expect(await paste(page, {})).toBe(false)
    expect(await page.getByLabel('Files to send').getByRole('listitem').count()).toBe(2)
  },
)
