import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'

const openPage = useBrowser()

/** `BOBBIN_TOUR=1` makes the pictures of docs/tour.md anew. In any case the pages show what its captions say. */
const folder = process.env.BOBBIN_TOUR === undefined ? undefined : resolve(import.meta.dirname, '../../docs/tour')

async function shoot(page: Page, name: string): Promise<void> {
  if (folder === undefined) return
  // What fades in would be pale.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))',
  )
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

async function newThread(page: Page) {
  await page.getByRole('link', { name: 'New thread' }).first().click()
  await page.getByRole('heading', { name: 'New thread' }).waitFor()
}

test.skipIf(withoutBrowser)('the tour shows the console as it is (needs chromium)', async () => {
  const bot = await startTestBot()
  const page = await openPage(bot.chat.url)
  await page.locator('input[type=file]').setInputFiles([
    {
      name: 'sales.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('region,amount\nNorth,120\nSouth,80\nEast,200\n'),
    },
    { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('# Plan\n\nWe sell more in the east.\n') },
  ])
  await write(page, 'summarise the files into a file')
  await page.getByText('I read 2 files and wrote').first().waitFor()
  await page
    .getByRole('link', { name: /summary\.md/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Good answer' }).waitFor()
  await shoot(page, 'files')

  await newThread(page)
  await write(page, 'ask me which colour I like: red, green or blue')
  const question = page.getByRole('region', { name: 'Question' })
  await question.getByText('green', { exact: true }).waitFor()
  await shoot(page, 'question')

  await newThread(page)
  await write(page, '@run_command run: touch outputs/report.md')
  const approval = page.getByRole('region', { name: 'Approval' })
  await approval.getByRole('button', { name: 'Approve once' }).waitFor()
  await approval.getByText('touch outputs/report.md').first().waitFor()
  await shoot(page, 'approval')

  await page.goto(`${bot.chat.url}/#!trust/waiting`)
  await page.getByRole('heading', { level: 1, name: 'Trust' }).waitFor()
  await expect.poll(() => page.locator('main').innerText()).toMatch(/which colour/i)
  await shoot(page, 'trust')
})
