import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { hang, says } from '../support/model-server.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'the composer offers the session commands, and their answers look like answers (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [says('Hello.')] })
    const page = await openPage(bot.chat.url)
    const field = page.getByLabel('Message', { exact: true })
    await field.fill('hello')
    await page.keyboard.press('Enter')
    await page.getByText('Hello.', { exact: true }).waitFor()

    await field.pressSequentially('/')
    const offered = page.getByRole('option')
    const { commands } = await bot.chat.get<{ commands: { name: string; summary: string }[] }>('/about')
    expect(await offered.count()).toBe(commands.length)
    for (const [index, { name, summary }] of commands.entries()) {
      const text = await offered.nth(index).innerText()
      expect(text.startsWith(`/${name}`)).toBe(true)
      expect(text).toContain(summary)
    }
    await picture(page, 'commands')
    await field.pressSequentially('st')
    expect(await offered.allInnerTexts()).toEqual([
      expect.stringContaining('/status'),
      expect.stringContaining('/stop'),
    ])
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('/status ')
    await page.getByText('/status: this thread’s status').waitFor()
    await page.keyboard.press('Enter')
    const answer = page.getByRole('article', { name: 'Bobbin' }).last()
    await answer.getByText('Messages: 2 in 1 turn').waitFor()
    expect(await shownText(answer.locator('strong'))).toBe('This thread')
    expect(bot.model.requests).toHaveLength(1)
    await picture(page, 'command-answer')
  },
)

test.skipIf(withoutBrowser)(
  '`stop` alone stops, and what a command says while a turn runs stands in its place (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [hang(8, says('a b c d e f g h i j k l m n o p q r s t u v w x y z'))] })
    const page = await openPage(bot.chat.url, { width: 390, dark: true })
    const field = page.getByLabel('Message', { exact: true })
    await field.fill('talk')
    await page.keyboard.press('Enter')
    await page.getByText('a b c').waitFor()
    await field.pressSequentially('/')
    await page.getByRole('option', { name: '/files' }).waitFor()
    await picture(page, 'commands-offered-narrow')
    await field.fill('/files')
    await page.keyboard.press('Enter')
    await page.getByText('There are no files in this thread yet.', { exact: true }).waitFor()
    await field.fill('stop')
    await page.keyboard.press('Enter')
    await page.getByText('Stopped by you').waitFor()
    await page.getByText('Stopped.', { exact: true }).waitFor()
    const order = ['talk', '/files', 'There are no files', 'stop', 'Stopped by you', 'Stopped.']
    const words = (await page.getByRole('main').textContent()) ?? ''
    const places = order.map((text) => words.indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    await picture(page, 'commands-narrow')
  },
)

test.skipIf(withoutBrowser)('a deleted thread disappears from the screen (needs chromium)', async () => {
  const bot = await startTestBot({ script: [says('The secret is blue.')] })
  const page = await openPage(bot.chat.url)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('hello')
  await page.keyboard.press('Enter')
  await page.getByText('The secret is blue.', { exact: true }).waitFor()
  await field.fill('delete yes')
  await page.keyboard.press('Enter')
  await page.getByText('This thread and its files were deleted.').waitFor()
  await page.waitForURL(/#\/general$/)
  await page.getByText('The secret is blue.').waitFor({ state: 'detached' })
  await page.getByRole('main').getByText('delete yes').waitFor({ state: 'detached' })
  await picture(page, 'deleted')
})
