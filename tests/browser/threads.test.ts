import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { picture, scrollTo, setHidden, useBrowser, withoutBrowser } from '../support/browser.ts'
import { says } from '../support/model-server.ts'
import { storeOf, threadIn } from '../support/threads.ts'

const openPage = useBrowser()
const local = { platform: 'console', tenant: 'local', project: 'general' }

const start = () => startTestBot({ script: () => says('The **penguins** are fine.') })

/** A page has read and drawn an answer by the time that it has got the answer to another question, and a frame. */
const read = `fetch('/api/v1/about').then((one) => one.json())
  .then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))`

/** Threads that nobody answered, because only the list matters. */
async function fill(bot: TestBot, count: number, name = 'Thread'): Promise<void> {
  const store = await storeOf(bot)
  for (let number = 1; number <= count; number++) await threadIn(store, local, `${name} number ${number}`)
}

test.skipIf(withoutBrowser)('a channel is added, and the other pages still open (needs chromium)', async () => {
  const bot = await start()
  const page = await openPage(bot.chat.url)
  const add = page.getByRole('button', { name: 'Add a channel' })
  const name = page.getByLabel('Name of the channel')
  await add.click()
  await name.press('Escape')
  await add.click()
  await name.fill('penguins')
  await name.press('Enter')
  await page.locator('.channel.current', { hasText: 'penguins' }).waitFor()
  await page.getByRole('link', { name: 'Trust' }).click()
  await page.getByRole('heading', { name: 'Trust' }).waitFor()
})

test.skipIf(withoutBrowser)(
  'a long list loads as one scrolls, and everything below it stays in reach (needs chromium)',
  async () => {
    const bot = await start()
    await fill(bot, 130)
    for (const [name, options] of [
      ['threads', {}],
      ['threads-dark', { dark: true }],
      ['threads-narrow', { width: 390 }],
    ] as const) {
      const page = await openPage(bot.chat.url, options)
      if ('width' in options) await page.getByRole('button', { name: 'Channels and threads' }).click()
      const links = page.locator('.thread-link')
      await links.first().waitFor()
      expect(await links.count()).toBe(50)
      for (const link of ['Trust', 'Not answered', 'Costs'])
        await expect.poll(() => page.getByRole('link', { name: link }).isVisible()).toBe(true)
      const box = await page.getByRole('link', { name: 'Trust' }).boundingBox()
      expect((box?.y ?? 10_000) + (box?.height ?? 0)).toBeLessThan(860)
      await picture(page, name)
      await expect
        .poll(async () => {
          await links.last().scrollIntoViewIfNeeded()
          return links.count()
        })
        .toBe(130)
      expect(new Set(await links.locator('.thread-title').allTextContents()).size).toBe(130)
      await page.getByRole('button', { name: 'Archived threads' }).waitFor()
    }
    // The search may end while more of what it found is loading.
    const page = await openPage(bot.chat.url)
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/q=.*cursor=/, async (route) => {
      asked.resolve()
      await told.promise
      await route.continue()
    })
    const late = page.waitForResponse(/q=.*cursor=/)
    await page.getByPlaceholder('Search threads').fill('Thread number')
    await scrollTo(page.getByRole('list', { name: 'Search results' }).getByRole('link').last())
    await asked.promise
    await page.getByPlaceholder('Search threads').fill('')
    told.resolve()
    await (await late).finished()
    await page.evaluate(read)
    expect(await page.locator('.notice').allInnerTexts()).toEqual([])
  },
)

test.skipIf(withoutBrowser)(
  'threads that began while the page was hidden are all in the list, however many (needs chromium)',
  async () => {
    const bot = await start()
    await fill(bot, 60)
    const page = await openPage(bot.chat.url)
    const links = page.locator('.thread-link')
    await expect.poll(() => links.count()).toBe(50)
    await setHidden(page, true)
    await fill(bot, 70, 'New thread')
    await setHidden(page, false)
    await page.getByRole('link', { name: 'New thread number 70' }).waitFor()
    await expect
      .poll(async () => {
        await links.last().scrollIntoViewIfNeeded()
        return new Set(await links.locator('.thread-title').allTextContents()).size
      })
      .toBe(130)

    // A list that ends within view can't be scrolled, so it gets longer by itself.
    const search = page.getByPlaceholder('Search threads')
    const results = page.getByRole('list', { name: 'Search results' }).getByRole('link')
    await search.fill('number')
    await expect.poll(() => results.count()).toBe(30)
    await page.setViewportSize({ width: 1280, height: 1800 })
    await expect.poll(() => results.count()).toBeGreaterThan(30)

    // However slow another search is.
    const told = Promise.withResolvers<void>()
    const slow = page.waitForRequest(/q=thr&.*cursor/)
    await page.route(/q=thr&.*cursor/, (route) => told.promise.then(() => route.continue()))
    await search.fill('thr')
    await slow
    await search.fill('thread')
    await expect.poll(() => results.count()).toBeGreaterThan(30)
    told.resolve()
  },
)

test.skipIf(withoutBrowser)(
  'a thread is found by what was said, renamed, pinned, archived, exported and deleted (needs chromium)',
  async () => {
    const bot = await start()
    await fill(bot, 3)
    await bot.chat.say('How is the aviary?', { user: 'you' })
    const page = await openPage(bot.chat.url)
    const search = page.getByPlaceholder('Search threads')
    const result = page.getByRole('list', { name: 'Search results' }).getByRole('link')
    for (const next of ['Number', '']) {
      const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const late = page.waitForResponse(/q=penguin/)
      await page.route(/q=penguin/, async (route) => {
        asked.resolve()
        await told.promise
        await route.continue()
      })
      await search.fill('penguin')
      await asked.promise
      await search.fill(next)
      if (next !== '') await expect.poll(() => result.count()).toBe(3)
      told.resolve()
      await (await late).finished()
      await page.unroute(/q=penguin/)
      await page.evaluate(read)
      expect(await result.count()).toBe(next === '' ? 0 : 3)
    }
    await search.fill('penguin')
    await result.getByText('penguins').waitFor()
    await picture(page, 'threads-search')
    await result.click()
    await page.getByRole('heading', { name: 'How is the aviary?' }).waitFor()
    await page.getByPlaceholder('Search threads').fill('')

    const menu = page.locator('.header').getByRole('button', { name: 'Thread actions' })
    await menu.click()
    await picture(page, 'threads-menu')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('Birds')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Birds' }).waitFor()

    const row = page.locator('.thread-row', { hasText: 'Thread number 1' })
    await row.hover()
    await row.getByRole('button', { name: 'Thread actions' }).click()
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    await expect.poll(() => page.locator('.thread-title').first().textContent()).toBe('Thread number 1')

    await menu.click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export as Markdown', exact: true }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('# Birds')

    await menu.click()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await expect.poll(() => page.locator('.thread-link', { hasText: 'Birds' }).count()).toBe(0)
    await search.fill('penguin')
    await result.getByText('Archived').waitFor()
    await search.fill('')
    await page.getByRole('button', { name: 'Archived threads' }).click()
    await page.locator('.thread-link', { hasText: 'Birds' }).waitFor()

    await menu.click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('Delete “Birds”?').waitFor()
    await picture(page, 'threads-delete')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await menu.click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'New thread' }).waitFor()
    await expect.poll(() => page.locator('.thread-link', { hasText: 'Birds' }).count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)(
  'what is written before a new thread has an id ends up in it (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    const told = Promise.withResolvers<void>()
    await page.route('**/agent/chat', async (route) => {
      await told.promise
      await route.continue()
    })
    const field = page.getByLabel('Message', { exact: true })
    for (const text of ['How is the aviary?', 'And the pond?']) {
      await field.fill(text)
      await page.keyboard.press('Enter')
    }
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'birds.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await field.fill('and then')
    told.resolve()
    await page.waitForURL(/ses_/)
    expect(await field.inputValue()).toBe('and then')
    expect(await page.locator('.composer .chip').count()).toBe(1)
    await page
      .locator('.message:not(.pending)', { hasText: 'And the pond?' })
      .or(page.locator('.thread-link').nth(1))
      .first()
      .waitFor()
    expect((await bot.chat.get<{ conversations: [] }>('/agent/conversations')).conversations).toHaveLength(1)
    expect(await page.locator('.message:not(.pending)').allInnerTexts()).toHaveLength(2)
  },
)

test.skipIf(withoutBrowser)(
  'whoever opens it from elsewhere is asked for the token, and lands where they wanted to go (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: () => says('Hello.'), config: { server: { host: '0.0.0.0' } } })
    const { port, searchParams } = new URL(bot.chat.url)
    for (const [name, options] of [
      ['sign-in', {}],
      ['sign-in-dark', { dark: true }],
      ['sign-in-narrow', { width: 390 }],
    ] as const) {
      const page = await openPage(`http://127.0.0.1:${port}/#!trust`, options)
      await page.getByLabel('Token').fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This token isn’t valid.').waitFor()
      await picture(page, name)
      await page.getByLabel('Token').fill(searchParams.get('token') ?? '')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Trust' }).waitFor()
      await page.context().clearCookies()
    }
  },
)

test.skipIf(withoutBrowser)(
  'a page whose token is revoked says so and asks for nothing any more, hidden or not (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: () => says('Hello.'), config: { server: { host: '0.0.0.0' } } })
    const { port, searchParams } = new URL(bot.chat.url)
    const url = `http://127.0.0.1:${port}`
    for (const hidden of [false, true]) {
      const page = await openPage('about:blank')
      await page.addInitScript(`{ const [often, never] = [setInterval, clearInterval]
        globalThis.repeated = new Set()
        setInterval = (work, ms) => {
          const timer = often(work, Math.min(ms, 200))
          repeated.add(timer)
          return timer
        }
        clearInterval = (timer) => repeated.delete(timer) && never(timer) }`)
      await page.goto(`${url}/?token=${searchParams.get('token')}`)
      await page.getByLabel('Message', { exact: true }).waitFor()
      await setHidden(page, hidden)
      // As after the end of its token.
      await page.context().addCookies([{ name: `bobbin_token${port}`, value: 'old', url }])
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await expect.poll(() => page.evaluate('repeated.size')).toBe(0)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Token').waitFor()
      await page.close()
    }
  },
)
