import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { drawsSlowly, picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'
import { foundOn } from './axe.ts'
import { richAnswer } from './rich-answer.ts'

const openPage = useBrowser()
async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

for (const dark of [false, true]) {
  const name = dark ? 'dark' : 'light'
  test.skipIf(withoutBrowser)(`axe finds nothing on any page, ${name} (needs chromium)`, async () => {
    const run = calls('run_command', { command: 'touch outputs/a.md' })
    const bot = await startTestBot({ script: [says(richAnswer), run, says('Done.')] })
    const page = await openPage(bot.chat.url, { dark })
    const found: Record<string, string[]> = {}
    await page.getByLabel('Message', { exact: true }).waitFor()
    found.home = await foundOn(page)
    await drawsSlowly(page)
    await write(page, 'show me @run_command')
    await page.locator('.diagram img').waitFor()
    await page.locator('.hljs-keyword').first().waitFor()
    await page.locator('.math-block[data-shown]').first().waitFor()
    await page.getByText('How it was measured').click()
    found.answer = await foundOn(page)

    await write(page, 'run it')
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    found.approval = await foundOn(page)
    await page.getByRole('button', { name: 'Always…' }).click()
    found.always = await foundOn(page)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    // The focus goes back to the button that opened the form, a moment later.
    await page.waitForFunction("document.activeElement.textContent.startsWith('Always')")
    await page.getByRole('button', { name: 'Deny', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Done.', { exact: true }).waitFor()
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Approval')
    await page.getByRole('button', { name: 'Edit the message' }).last().focus()
    await page.keyboard.press('Enter')
    found.editing = await foundOn(page)
    await page.keyboard.press('Escape')

    await page.keyboard.press('?')
    await page.getByRole('dialog').first().waitFor()
    found.shortcuts = await foundOn(page)
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Files/ })
      .first()
      .click()
    found.files = await foundOn(page)
    await page.keyboard.press('Escape')
    for (const view of [
      'trust',
      'trust/waiting',
      'trust/audit',
      'not-answered',
      'costs',
      'skills',
      'skills/tools',
      'agents',
    ]) {
      await page.goto(`${bot.chat.url}/#!${view}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      found[view] = await foundOn(page)
    }
    await page.keyboard.press('Tab')
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await picture(page, `trust-${name}`)
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((key) => [key, []])))
  })
}
