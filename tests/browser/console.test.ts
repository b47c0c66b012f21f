import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'

const openPage = useBrowser()

// The built-in practice model answers here, as it does for a new user.

const csv = 'region,amount\nNorth,120\nSouth,80\nEast,200\n'
const markdown = '# Plan\n\nWe sell more in the east.\n\n## Next\n\n- hire\n'

async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

const ready = (page: Page) => page.getByRole('button', { name: 'Send' }).waitFor()

test.skipIf(withoutBrowser)('a new user uploads two files and gets a summary back (needs chromium)', async () => {
  const bot = await startTestBot()
  const page = await openPage(bot.chat.url)
  await page.locator('input[type=file]').setInputFiles([
    { name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
    { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from(markdown) },
  ])
  await write(page, '@bobbin summarise the files into a file')
  await page.getByText('I read 2 files and wrote').first().waitFor()
  await picture(page, 'summary')
  const download = page.waitForEvent('download')
  await page
    .getByRole('link', { name: /summary\.md/ })
    .first()
    .click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('sum 400')

  await page.reload()
  await page.getByText('I read 2 files and wrote').first().waitFor()
  expect(await page.getByText('summarise the files into a file').count()).toBeGreaterThan(0)
})

test.skipIf(withoutBrowser)('questions, an approval and a denial, across a restart (needs chromium)', async () => {
  const bot = await startTestBot()
  const page = await openPage(bot.chat.url, { dark: true })
  await write(page, 'ask me which colour I like: red, green or blue')
  await page.getByRole('button', { name: /green/i }).waitFor()
  await picture(page, 'question')
  await bot.restart()
  await page.goto(page.url().replace(/:\d+/, `:${new URL(bot.chat.url).port}`))
  await page.getByRole('button', { name: /green/i }).click()
  await page
    .getByText(/You .*green/i)
    .first()
    .waitFor()

  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('old words') }])
  await write(page, 'replace old with new in #notes.md')
  await page.getByRole('button', { name: 'Deny and say why…' }).click()
  await picture(page, 'approval')
  await page.getByLabel('Why not?').fill('not today')
  await page.keyboard.press('Enter')
  await page.getByText('not today').nth(1).waitFor()
  await ready(page)
  await write(page, 'replace old with new in #notes.md')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(/^Approved/).waitFor()
  await ready(page)
  await picture(page, 'approved')
  const conversation = /ses_\w+/.exec(page.url())?.[0]
  const file = `${bot.chat.url}/api/v1/agent/conversations/${conversation}/files/uploads/notes.md`
  await expect.poll(async () => (await fetch(file)).text()).toBe('new words')
})

test.skipIf(withoutBrowser)(
  'a long turn is stopped, and an alarm goes off in its thread (needs chromium)',
  async () => {
    const bot = await startTestBot()
    const page = await openPage(bot.chat.url, { width: 390 })
    await write(page, 'count slowly to 100')
    await page.getByRole('button', { name: 'Stop this turn' }).click()
    await page
      .getByText(/stopped/i)
      .first()
      .waitFor()
    await write(page, 'remind me in 2 seconds to stretch')
    await page.getByLabel('Alarm').waitFor()
    await page.getByText('Reminder: stretch', { exact: true }).waitFor()
    await picture(page, 'narrow')
  },
)
