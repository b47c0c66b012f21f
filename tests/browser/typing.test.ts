import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'

const openPage = useBrowser()

/** The keys of an input method: in most browsers while it composes, in Safari just after. */
async function confirmAndCancel(field: Locator): Promise<void> {
  for (const key of ['Enter', 'Escape', 'Escape'])
    for (const how of [{ isComposing: true }, { keyCode: 229 }])
      await field.dispatchEvent('keydown', { key, ...how, bubbles: true, cancelable: true })
}

test.skipIf(withoutBrowser)(
  'keys that an input method takes send, answer, close and stop nothing (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: '何時?' }), says('了解。')] })
    const page = await openPage(bot.chat.url)
    const composer = page.getByLabel('Message', { exact: true })
    await composer.fill('会議は')
    await confirmAndCancel(composer)
    expect(await composer.inputValue()).toBe('会議は')
    await composer.press('Enter')

    const answer = page.getByLabel('Your answer')
    await answer.fill('三時')
    await confirmAndCancel(answer)
    await confirmAndCancel(composer)
    expect(await page.locator('.notice').count()).toBe(0)
    expect(await answer.inputValue()).toBe('三時')
    await answer.press('Enter')
    await page.getByText('了解。', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Bad answer' }).click()
    const reason = page.getByLabel('What would have been a better answer?')
    await reason.fill('はい')
    await confirmAndCancel(reason)
    expect(await reason.inputValue()).toBe('はい')

    await page.locator('.thread > .message').first().hover()
    await page.getByRole('button', { name: 'Edit the message' }).first().click()
    const edited = page.getByLabel('The message’s new text')
    await edited.fill('会議?')
    await confirmAndCancel(edited)
    expect(await edited.inputValue()).toBe('会議?')
    await edited.press('Escape')
    expect(await edited.count()).toBe(0)
  },
)

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
