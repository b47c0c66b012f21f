import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { shorterPauses, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'

const openPage = useBrowser()

const start = () => startTestBot({ script: () => says('The **penguins** are fine.') })

const field = (page: Page) => page.getByLabel('Message', { exact: true })

const remove = (bot: TestBot, conversation: string) =>
  fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}`, { method: 'DELETE' })

test.skipIf(withoutBrowser)(
  'a message to a thread that can’t be shown stays in sight as not sent (needs chromium)',
  async () => {
    const bot = await start()
    const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
    await remove(bot, conversation)
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByRole('main').locator('.failure', { hasText: 'it was deleted' }).waitFor()
    await field(page).fill('Words that took an hour')
    await page.keyboard.press('Enter')
    const unsent = page.locator('.message.pending', { hasText: 'Words that took an hour' })
    await unsent.getByText('Not sent.').waitFor()
    await page.reload()
    await unsent.getByRole('button', { name: 'Discard' }).click()
    expect(await shownText(page.getByRole('main').locator('.failure'))).toContain('it was deleted')
  },
)

test.skipIf(withoutBrowser)(
  'what was being written in a thread that is deleted stays for a new one (needs chromium)',
  async () => {
    const bot = await start()
    const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
    const page = await openPage(bot.chat.url)
    await field(page).fill('An idea for later')
    await page.locator('.thread-link').click()
    await page.getByText('The penguins are fine.').waitFor()
    await field(page).fill('And the owls?')
    const file = { name: 'owls.txt', mimeType: 'text/plain', buffer: Buffer.from('two') }
    await page.locator('input[type=file]').setInputFiles([file])
    await remove(bot, conversation)
    await page.getByText('Start a thread').waitFor()
    await expect.poll(() => field(page).inputValue()).toBe('An idea for later\n\nAnd the owls?')
    expect(await page.getByLabel('Files to send').innerText()).toContain('owls.txt')
  },
)

/** A thread whose messages don't reach the bot any more, with two of them. */
async function unsentIn(bot: TestBot) {
  const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  await page.getByText('The penguins are fine.').waitFor()
  await page.route('**/agent/chat', (route) => route.abort())
  for (const text of ['And the owls?', 'And the storks?']) {
    await field(page).fill(text)
    await field(page).press('Enter')
  }
  const unsent = page.locator('.message.pending')
  await unsent.nth(1).waitFor()
  return { page, conversation, unsent }
}

test.skipIf(withoutBrowser)(
  'messages that couldn’t be sent to a thread that is deleted can be sent to a new one (needs chromium)',
  async () => {
    const bot = await start()
    const { page, conversation, unsent } = await unsentIn(bot)
    await remove(bot, conversation)
    await unsent.getByText('Not sent. Its thread was deleted.').nth(1).waitFor()
    await page.unroute('**/agent/chat')
    await page.reload()
    await unsent.filter({ hasText: 'owls' }).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The penguins are fine.').waitFor()
    expect(await page.getByRole('article', { name: 'you' }).innerText()).toContain('And the owls?')
    await page.getByRole('link', { name: 'New thread' }).click()
    await unsent.filter({ hasText: 'storks' }).getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Start a thread').waitFor()
  },
)

/** A thread on a page that hardly pauses between two attempts to send a message. */
async function openImpatient() {
  const bot = await start()
  const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
  const page = await openPage('about:blank')
  await page.addInitScript(shorterPauses)
  await page.goto(`${bot.chat.url}/#/general/${conversation}`)
  await page.getByText('The penguins are fine.').waitFor()
  return { bot, conversation, page }
}

test.skipIf(withoutBrowser)(
  'what can’t be sent is told in another thread, and is sent once the network is back (needs chromium)',
  async () => {
    const { bot, conversation, page } = await openImpatient()
    const isElsewhere = Promise.withResolvers<void>()
    await page.route('**/agent/chat', async (route) => {
      await isElsewhere.promise
      await route.fulfill({ status: 502, body: 'Bad gateway' })
    })
    await field(page).fill('And the owls?')
    await field(page).press('Enter')
    await page.getByRole('link', { name: 'New thread' }).click()
    isElsewhere.resolve()
    await page.getByText('Your message in another thread wasn’t sent: “And the owls?”.').waitFor()
    await page.unroute('**/agent/chat')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.text === 'And the owls?')
  },
)

test.skipIf(withoutBrowser)(
  'what couldn’t be sent doesn’t follow what was written after it, unless somebody says so (needs chromium)',
  async () => {
    const { bot, conversation, page } = await openImpatient()
    await page.route('**/agent/chat', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    const write = async (text: string) => {
      await field(page).fill(text)
      await field(page).press('Enter')
    }
    await write('Delete the offers')
    const unsent = page.locator('.message.pending', { hasText: 'Delete the offers' })
    await unsent.getByText('Not sent.').waitFor()
    await page.unroute('**/agent/chat')
    const said = async () => {
      const messages = ofType(await bot.chat.events(conversation), 'message').map(({ data }) => data)
      return messages.filter(({ role }) => role === 'user').map(({ text }) => text)
    }
    await write('Keep the offers')
    await page.locator('.message:not(.pending)', { hasText: 'Keep the offers' }).waitFor()
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await write('And the owls?')
    await expect.poll(said).toEqual(['How is the aviary?', 'Keep the offers', 'And the owls?'])
    await unsent.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(said).toContain('Delete the offers')
  },
)

for (const way of ['once the network is back', 'once the page is opened again']) {
  test.skipIf(withoutBrowser)(
    `what waits to be sent goes out in the order in which it was written, ${way} (needs chromium)`,
    async () => {
      const { page } = await openImpatient()
      const address = page.url()
      const isOver = Promise.withResolvers<void>()
      onTestFinished(() => isOver.resolve())
      const isLeft = way === 'once the page is opened again'
      await page.route('**/agent/chat', (route) =>
        isLeft ? isOver.promise : route.fulfill({ status: 502, body: 'Bad gateway' }),
      )
      const unsent = page.locator('.message.pending')
      for (const text of ['And the owls?', 'And the storks?']) {
        await field(page).fill(text)
        await field(page).press('Enter')
        await unsent.getByText(text).waitFor()
      }
      if (isLeft) await page.goto('about:blank')
      else await unsent.getByText('Not sent.').nth(1).waitFor()
      await page.unroute('**/agent/chat')
      const order: string[] = []
      await page.route('**/agent/chat', async (route) => {
        const [bird] = /owls|storks/.exec(route.request().postData() ?? '') ?? []
        order.push(`${bird} sent`)
        const response = await route.fetch()
        order.push(`${bird} arrived`)
        await route.fulfill({ response })
      })
      if (isLeft) await page.goto(address)
      // The second time, both are under way already.
      else await page.evaluate(`for (const _time of [1, 2]) dispatchEvent(new Event('online'))`)
      await expect.poll(() => order).toEqual(['owls sent', 'owls arrived', 'storks sent', 'storks arrived'])
      await expect.poll(() => unsent.count()).toBe(0)
    },
  )
}

test.skipIf(withoutBrowser)(
  'a message that couldn’t be sent is sent once the bot is back (needs chromium)',
  async () => {
    const { bot, conversation, page } = await openImpatient()
    for (const address of ['**/agent/chat', '**/requests?*']) {
      await page.route(address, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    }
    await field(page).fill('And the owls?')
    await field(page).press('Enter')
    const unsent = page.locator('.message.pending', { hasText: 'And the owls?' })
    await unsent.getByText('Not sent.').waitFor()
    // It may have arrived.
    expect(await unsent.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.waitForResponse((response) => response.status() === 502 && response.url().includes('/requests?'))
    await page.unroute('**/agent/chat')
    await page.unroute('**/requests?*')
    await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.text === 'And the owls?')
  },
)

test.skipIf(withoutBrowser)(
  'a message that couldn’t be sent is sent when the page is loaded again (needs chromium)',
  async () => {
    const { page } = await openImpatient()
    await page.route('**/agent/chat', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await field(page).fill('And the owls?')
    await field(page).press('Enter')
    await page.locator('.message.pending', { hasText: 'And the owls?' }).getByText('Not sent.').waitFor()
    await page.unroute('**/agent/chat')
    await page.reload()
    await page.locator('.message:not(.pending)', { hasText: 'And the owls?' }).waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'the words of a message with a file outlive the page, and aren’t sent twice (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    const isStored = Promise.withResolvers<void>()
    await page.route('**/agent/chat', async (route) => {
      await route.fetch()
      isStored.resolve()
    })
    await field(page).fill('How is the aviary?')
    const file = { name: 'owls.txt', mimeType: 'text/plain', buffer: Buffer.from('two') }
    await page.locator('input[type=file]').setInputFiles([file])
    await field(page).press('Enter')
    await isStored.promise
    await page.reload()
    const unsent = page.locator('.message.pending', { hasText: 'How is the aviary?' })
    await unsent.getByText('To send its files, attach them again: owls.txt.').waitFor()
    await page.unroute('**/agent/chat')
    expect(await unsent.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await unsent.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The penguins are fine.').waitFor()
    const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
    expect(conversations).toHaveLength(1)
    const said = ofType(await bot.chat.events(conversations[0]?.id ?? ''), 'message').map(({ data }) => data)
    expect(said.filter(({ role }) => role === 'user')).toMatchObject([{ files: [{ name: 'owls.txt' }] }])
  },
)

test.skipIf(withoutBrowser)(
  'a message that may have arrived can’t be sent anew through Edit, whatever the next attempt says (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    const refuse = () => page.route('**/agent/chat', (route) => route.fulfill({ status: 400, body: 'Bad request' }))
    await page.route('**/agent/chat', async (route) => {
      await route.fetch()
      await route.fulfill({ status: 500, body: 'Internal error' })
    })
    await field(page).fill('How is the aviary?')
    await field(page).press('Enter')
    const unsent = page.locator('.message.pending', { hasText: 'How is the aviary?' })
    await unsent.getByText('Not sent. The bot answered with status 500').waitFor()
    expect(await unsent.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await refuse()
    await unsent.getByRole('button', { name: 'Try again' }).click()
    await unsent.getByText('Not sent. The bot answered with status 400').waitFor()
    expect(await unsent.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.unroute('**/agent/chat')
    await unsent.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The penguins are fine.').waitFor()
    const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
    expect(conversations).toHaveLength(1)
    const said = ofType(await bot.chat.events(conversations[0]?.id ?? ''), 'message').map(({ data }) => data)
    expect(said.filter(({ role }) => role === 'user')).toHaveLength(1)
  },
)

test.skipIf(withoutBrowser)(
  'words that were refused with a file say which one to attach again, also in the message box (needs chromium)',
  async () => {
    const page = await openPage((await start()).chat.url)
    await page.route('**/agent/chat', (route) => route.fulfill({ status: 400, body: 'Bad request' }))
    await field(page).fill('How is the aviary?')
    const file = { name: 'owls.txt', mimeType: 'text/plain', buffer: Buffer.from('two') }
    await page.locator('input[type=file]').setInputFiles([file])
    await field(page).press('Enter')
    const unsent = page.locator('.message.pending', { hasText: 'How is the aviary?' })
    const reason = await shownText(unsent.getByText('Not sent.'))
    await page.reload()
    await unsent.getByText(`${reason} To send its files, attach them again: owls.txt.`).waitFor()
    await unsent.getByRole('button', { name: 'Edit' }).click()
    await page.locator('.composer').getByText('To send its files, attach them again: owls.txt.').waitFor()
    expect(await field(page).inputValue()).toBe('How is the aviary?')
  },
)

test.skipIf(withoutBrowser)(
  'a message that deletes its thread has arrived, also if the thread’s end is told first (needs chromium)',
  async () => {
    const bot = await start()
    const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByText('The penguins are fine.').waitFor()
    const [isTold, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/agent/chat', async (route) => {
      const response = await route.fetch()
      await isTold.promise
      await route.fulfill({ response })
      isOver.resolve()
    })
    await field(page).fill('delete yes')
    await field(page).press('Enter')
    await page.waitForURL(/#\/general$/)
    isTold.resolve()
    await isOver.promise
    await page.getByText('Start a thread').waitFor()
    await page.getByRole('main').getByText('delete yes').waitFor({ state: 'detached' })
  },
)

test.skipIf(withoutBrowser)('whoever deletes a thread keeps what couldn’t be sent to it (needs chromium)', async () => {
  const { page, unsent } = await unsentIn(await start())
  await page.locator('.header').getByRole('button', { name: 'Thread actions' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await unsent.getByText('Not sent. Its thread was deleted.').nth(1).waitFor()
})

test.skipIf(withoutBrowser)(
  'a folder isn’t attached, and a file that is gone ends the sending at once (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    await field(page).fill('Two files')
    await page.evaluate(`{
      const item = (isDirectory) => ({ kind: 'file', webkitGetAsEntry: () => ({ isDirectory }) })
      const dataTransfer = {
        types: ['Files'],
        items: [item(true), { kind: 'string', webkitGetAsEntry: () => null }, item(false)],
        files: [new File([], 'birds'), new File(['three'], 'owls.txt')],
      }
      dispatchEvent(Object.assign(new Event('drop', { cancelable: true }), { dataTransfer }))
    }`)
    await page.getByText('birds is a folder.').waitFor()
    expect(await page.getByLabel('Files to send').innerText()).toContain('owls.txt')
    expect(await page.getByLabel('Files to send').innerText()).not.toContain('birds')

    const directory = await scratch()
    const path = join(directory, 'gone.txt')
    await writeFile(path, 'four')
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByLabel('Files to send').getByText('gone.txt').waitFor()
    await rm(path)
    await field(page).press('Enter')
    const unsent = page.locator('.message.pending', { hasText: 'Two files' })
    await unsent.getByText('Not sent. gone.txt can no longer be read.').waitFor()
    await unsent.getByRole('button', { name: 'Discard' }).click()
  },
)

test.skipIf(withoutBrowser)(
  'a message that can’t be sent as it is goes back to the message box, without the file that is gone (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    // A phone has none.
    await page.evaluate(`{ const { matchMedia } = globalThis
      globalThis.matchMedia = (query) => query === '(pointer: fine)' ? { matches: false } : matchMedia(query) }`)
    const path = join(await scratch(), 'gone.txt')
    await writeFile(path, 'four')
    await field(page).fill('Two files')
    const picker = page.locator('input[type=file]')
    await picker.setInputFiles(path)
    await picker.setInputFiles([{ name: 'owls.txt', mimeType: 'text/plain', buffer: Buffer.from('two') }])
    const chosen = page.getByLabel('Files to send')
    await chosen.getByText('owls.txt').waitFor()
    await rm(path)
    await field(page).press('Enter')
    await field(page).fill('An idea for later')
    const unsent = page.locator('.message.pending')
    await unsent.getByRole('button', { name: 'Edit' }).click()
    await chosen.getByText('owls.txt').waitFor()
    expect(await chosen.getByText('gone.txt').count()).toBe(0)
    await page.locator('.composer').getByText('gone.txt can no longer be read.').waitFor()
    expect(await field(page).inputValue()).toBe('An idea for later\n\nTwo files')
    await field(page).and(page.locator(':focus')).press('Enter')
    await page.getByText('The penguins are fine.').waitFor()
    expect(await unsent.count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)(
  'a browser without a time zone sends, and so does a person with a joiner in their name (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    await page.evaluate(`localStorage.setItem('bobbin.me', JSON.stringify('Ana\\u200d'))`)
    await page.reload()
    await page.evaluate(`Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: 'Etc/Unknown' })`)
    const name = page.getByLabel('Your name')
    const answers = page.getByText('The penguins are fine.')
    await field(page).fill('How is the aviary?')
    await field(page).press('Enter')
    await answers.waitFor()
    // Cut in the middle of a pair.
    await name.fill(`${'a'.repeat(59)}🦊`)
    await name.press('Enter')
    expect(await name.inputValue()).toBe('a'.repeat(59))
    await name.fill('👩\u200d💻 می\u200cنا')
    await name.press('Enter')
    await field(page).fill('And the owls?')
    await field(page).press('Enter')
    await expect.poll(() => answers.count()).toBe(2)
  },
)

test.skipIf(withoutBrowser)(
  'what is being written stays when another tab sends what it had in the same place (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage(bot.chat.url)
    await field(page).fill('Words that took an hour')
    await page.evaluate(`localStorage.removeItem('bobbin.draft.new:general')`)
    await page.getByRole('link', { name: 'Costs' }).click()
    await page.getByRole('heading', { name: 'Costs' }).waitFor()
    await page.goBack()
    expect(await field(page).inputValue()).toBe('Words that took an hour')
    await page.reload()
    expect(await field(page).inputValue()).toBe('Words that took an hour')
    await field(page).fill('')
    await page.evaluate(`localStorage.setItem('bobbin.draft.new:general', '"Another tab’s"')`)
    await page.reload()
    expect(await field(page).inputValue()).toBe('')
  },
)

test.skipIf(withoutBrowser)(
  'what waited to be sent doesn’t answer a question that was asked meanwhile; what is written below it does (needs chromium)',
  async () => {
    const asks = calls('ask_human', { question: 'Which owl?' })
    const bot = await startTestBot({ script: [says('The penguins are fine.'), asks, says('The barn owl.')] })
    const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByText('The penguins are fine.').waitFor()
    const isAsked = Promise.withResolvers<void>()
    onTestFinished(() => isAsked.resolve())
    await page.route('**/agent/chat', async (route) => {
      await isAsked.promise
      await route.continue()
    })
    await field(page).fill('Thank you all')
    await field(page).press('Enter')
    await page.locator('.message.pending', { hasText: 'Thank you all' }).waitFor()
    await bot.chat.say('Feed the owl.', { conversation, user: 'ana' })
    await page.getByRole('main').getByText('Which owl?').first().waitFor()
    isAsked.resolve()
    await page.locator('.message:not(.pending)', { hasText: 'Thank you all' }).waitFor()
    expect(await bot.chat.requests()).toMatchObject([{ question: 'Which owl?' }])

    await field(page).fill('The one with the white face')
    await field(page).press('Enter')
    await page.getByRole('main').getByText('The barn owl.').waitFor()
    const [answered] = ofType(await bot.chat.events(conversation), 'question_answered')
    expect(answered?.data).toMatchObject({ answer: 'The one with the white face' })
  },
)

/** The page's time limits pass when the test says so. */
const keepLimits = (page: Page) =>
  page.addInitScript(`globalThis.limits = []
    AbortSignal.timeout = () => {
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    }`)

const passLimits = (page: Page) =>
  page.evaluate(`for (const one of limits.splice(0)) one.abort(new DOMException('It took too long.', 'TimeoutError'))`)

/** Leaves the first request to an address without an answer. Resolves when it has been made. */
async function withoutAnswer(page: Page, address: string): Promise<void> {
  const [isMade, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTestFinished(() => isOver.resolve())
  await page.route(
    address,
    async (route) => {
      isMade.resolve()
      await isOver.promise
      await route.abort().catch(() => undefined)
    },
    { times: 1 },
  )
  await isMade.promise
}

test.skipIf(withoutBrowser)(
  'a message whose request is never answered is sent again, once, and what waits behind it goes out (needs chromium)',
  async () => {
    const bot = await start()
    const page = await openPage('about:blank')
    await keepLimits(page)
    await page.goto(bot.chat.url)
    await field(page).waitFor()
    const isMade = withoutAnswer(page, '**/agent/chat')
    for (const text of ['How is the aviary?', 'And the owls?']) {
      await field(page).fill(text)
      await field(page).press('Enter')
    }
    await isMade
    await passLimits(page)
    await page.locator('.message:not(.pending)', { hasText: 'And the owls?' }).waitFor()
    const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
    expect(conversations).toHaveLength(1)
    const said = ofType(await bot.chat.events(conversations[0]?.id ?? ''), 'message').map(({ data }) => data)
    expect(said.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      'How is the aviary?',
      'And the owls?',
    ])
    await page.close()
  },
)

test.skipIf(withoutBrowser)(
  'a thread whose request is never answered is asked for again (needs chromium)',
  async () => {
    const bot = await start()
    const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
    const page = await openPage('about:blank')
    await keepLimits(page)
    const isMade = withoutAnswer(page, `**/agent/conversations/${conversation}`)
    await page.goto(`${bot.chat.url}/#/general/${conversation}`)
    await isMade
    await passLimits(page)
    await page.getByText('The penguins are fine.').waitFor()
    await page.close()
  },
)

test.skipIf(withoutBrowser)('a browser of 2023 opens a thread (needs chromium)', async () => {
  const bot = await start()
  const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
  const page = await openPage('about:blank')
  await page.addInitScript('delete AbortSignal.any; delete Map.groupBy')
  await page.goto(`${bot.chat.url}/#/general/${conversation}`)
  await page.getByText('The penguins are fine.').waitFor()
})

test.skipIf(withoutBrowser)('checking a long audit log isn’t given up (needs chromium)', async () => {
  const bot = await start()
  const page = await openPage('about:blank')
  await keepLimits(page)
  const [isMade, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/audit/verify', async (route) => {
    isMade.resolve()
    await goesOn.promise
    await route.continue().catch(() => undefined)
  })
  await page.goto(`${bot.chat.url}/#!trust/audit`)
  await isMade.promise
  await passLimits(page)
  goesOn.resolve()
  await page.locator('.chain.whole').waitFor()
})
