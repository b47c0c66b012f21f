import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { says } from '../support/model-server.ts'

const openPage = useBrowser()

async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

for (const view of [{ name: 'light' }, { name: 'dark', dark: true }, { name: 'narrow', width: 390 }]) {
  test.skipIf(withoutBrowser)(
    `an answer is given again, and a message edited; what was said before folds (${view.name}, needs chromium)`,
    async () => {
      const counted = (text: string, input: number) => ({ ...says(text), usage: { input, output: 7, cached: 0 } })
      const bot = await startTestBot({
        script: [counted('Blue.', 1200), counted('Green.', 1300), counted('A pear.', 1400)],
      })
      const page = await openPage(bot.chat.url, view)
      await write(page, 'Name a colour.')
      await page.getByText('Blue.', { exact: true }).waitFor()
      await page.getByText('scripted · 1,200 tokens read, 7 written').waitFor()

      await page.getByRole('button', { name: 'Answer again' }).click()
      await page.getByText('Green.', { exact: true }).waitFor()
      expect(await page.getByText('Blue.', { exact: true }).count()).toBe(0)
      await page.getByText('Earlier version: 2 messages').click()
      await page.getByText('Blue.', { exact: true }).waitFor()
      await picture(page, `again-${view.name}`)

      const own = page.locator('.thread > .message')
      await own.hover()
      await own.getByRole('button', { name: 'Edit the message' }).click()
      await page.getByLabel('The message’s new text').fill('Name a fruit.')
      await picture(page, `edit-${view.name}`)
      await page.keyboard.press('Enter')
      await page.getByText('A pear.', { exact: true }).waitFor()
      expect(await page.locator('.thread > .message').allInnerTexts()).toEqual([
        expect.stringContaining('Name a fruit.'),
      ])
      await picture(page, `edited-${view.name}`)
      await page.reload()
      await page.getByText('A pear.', { exact: true }).waitFor()
      expect(await page.getByText('Green.', { exact: true }).count()).toBe(0)
    },
  )
}

test.skipIf(withoutBrowser)(
  'an answer is given again past what others have written since only if one says so (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [says('Blue.'), says('Seven.'), says('Green.')] })
    const page = await openPage(bot.chat.url)
    await write(page, 'Name a colour.')
    await page.getByText('Blue.', { exact: true }).waitFor()
    const conversation = new URL(page.url()).hash.split('/').at(-1)
    await bot.chat.say('And a number?', { conversation, user: 'ana' })
    await page.getByText('Seven.', { exact: true }).waitFor()

    const first = page.locator('.thread > .turn').first()
    const again = first.locator('.turn-foot').getByRole('button', { name: 'Answer again' })
    const form = page.getByRole('form', { name: 'Answer again' })
    await again.click()
    await form.getByText('1 message written since, from ana, will fold. Bobbin won’t be sent it.').waitFor()
    await picture(page, 'again-past-others')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    await again.and(page.locator(':focus')).waitFor()
    expect(await page.getByText('Seven.', { exact: true }).count()).toBe(1)

    await again.click()
    await form.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('Green.', { exact: true }).waitFor()
    expect(await page.getByText('Seven.', { exact: true }).count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)('a file that is too large is refused when it is attached (needs chromium)', async () => {
  const bot = await startTestBot({ script: [], config: { uploads: { fileBytes: 2_000_000 } } })
  const page = await openPage(bot.chat.url)
  await page.getByLabel('Message', { exact: true }).waitFor()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await page.locator('input[type=file]').setInputFiles([
    { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(3_400_000) },
    { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('small') },
  ])
  await page.getByText('film.mp4 is too large: 3.4 MB. A file can have at most 2.0 MB.').waitFor()
  expect(await page.getByLabel('Files to send').innerText()).toContain('small.txt')
  expect(await page.getByLabel('Files to send').innerText()).not.toContain('film.mp4')
  expect(sent).toEqual([])
  await picture(page, 'too-large')

  const response = await bot.chat.send('look', { files: { 'film.mp4': new Uint8Array(3_400_000) } })
  expect(response.status).toBe(413)
  expect(await response.text()).toContain('a file can have at most 2.0 MB')
})

test.skipIf(withoutBrowser)(
  'an edit that was refused isn’t sent again by a reload, and can be then (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [says('Blue.'), says('Green.')] })
    const page = await openPage(bot.chat.url)
    await write(page, 'Name a colour.')
    await page.getByText('Blue.', { exact: true }).waitFor()
    const error = { code: 'still_running', message: 'Bobbin is still working.', remedy: 'Wait for the answer.' }
    await page.route('**/api/v1/agent/chat', (route) => route.fulfill({ status: 409, json: { error } }))
    await page.getByRole('button', { name: 'Answer again' }).click()
    const refusal = page.getByText('Bobbin is still working. Wait for the answer.')
    await refusal.waitFor()

    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await refusal.or(page.getByText('Green.', { exact: true })).waitFor()
    expect(await refusal.count()).toBe(1)
    await page.getByText('Blue.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Green.', { exact: true }).waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'where a token is asked for, one’s messages are one’s own, whatever name this browser keeps (needs chromium)',
  async () => {
    const bot = await startTestBot({
      script: [says('Blue.'), says('A pear.')],
      config: { server: { host: '0.0.0.0' } },
    })
    const { port, search } = new URL(bot.chat.url)
    const page = await openPage(`http://127.0.0.1:${port}/${search}`)
    await page.evaluate(`localStorage.setItem('bobbin.me', '"Ana"')`)
    await page.reload()
    await write(page, 'Name a colour.')
    await page.getByText('Blue.', { exact: true }).waitFor()
    const own = page.locator('.thread > .message.mine')
    await own.hover()
    await own.getByRole('button', { name: 'Edit the message' }).click()
    await page.getByLabel('The message’s new text').fill('Name a fruit.')
    await page.keyboard.press('Enter')
    await page.getByText('A pear.', { exact: true }).waitFor()
    expect(await shownText(page.locator('.thread > .message'))).toContain('operator')
    expect(await page.getByLabel('Your name').count()).toBe(0)
    expect(await page.locator('.me').innerText()).toContain('operator')
    // A screen reader isn't told what one has just written oneself.
    expect(await page.locator('.unseen[role=status]').innerText()).not.toContain('Name a fruit.')
  },
)
