import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'

const openPage = useBrowser()

const panel = '.panel'
const writes = (name: string) => [
  calls('write_file', { path: `outputs/${name}.md`, content: '# Plan' }),
  says(`Wrote ${name}.`),
]

test.skipIf(withoutBrowser)(
  'files that can’t be listed are not said to be none, and the list comes with the next look (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: writes('plan') })
    const { conversation } = await bot.chat.say('write it')
    const page = await openPage(bot.chat.url)
    const asked = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    await page.route(
      '**/files',
      async (route) => {
        asked.resolve()
        await told.promise
        const error = { code: 'no_space', message: 'The disk is full.', remedy: 'Make room.' }
        await route.fulfill({ status: 507, json: { error } })
      },
      { times: 1 },
    )
    await page.goto(`${bot.chat.url}/#/general/${conversation}`)
    await asked.promise
    const list = page.locator(panel)
    await list.getByLabel('Loading').waitFor()
    expect(await list.getByText('No files yet').count()).toBe(0)
    told.resolve()
    await list.getByText('The disk is full. Make room.').waitFor()
    expect(await list.getByText('No files yet').count()).toBe(0)
    await page.getByRole('button', { name: /^Files \(/ }).click()
    await page
      .getByRole('dialog', { name: /^Files/ })
      .locator('.tree-row', { hasText: 'plan.md' })
      .waitFor()
    await expect.poll(() => list.getByText('The disk is full.').count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)(
  'while a list of files is under way no other is asked for, and the last one stays (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [...writes('first'), ...writes('second'), ...writes('third')] })
    const { conversation } = await bot.chat.say('write it')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const list = page.locator(panel)
    await list.getByText('first.md').waitFor()
    await page.clock.install()
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const seen = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let asked = 0
    await page.route('**/files', async (route) => {
      const number = asked++
      const response = await route.fetch()
      seen[number]?.resolve()
      await held[number]?.promise
      await route.fulfill({ response })
    })
    await bot.chat.say('another', { conversation })
    await seen[0]?.promise
    await bot.chat.say('and another', { conversation })
    await expect.poll(() => page.locator('.turn.done').count()).toBe(3)
    await page.clock.runFor(1000)
    await page.evaluate(`fetch('/api/v1/about')`)
    expect(asked).toBe(1)
    held[0]?.resolve()
    await seen[1]?.promise
    held[1]?.resolve()
    await list.getByText('third.md').waitFor()
  },
)

test.skipIf(withoutBrowser)('a file below an answer that a later turn changed says so (needs chromium)', async () => {
  const write = (content: string) => calls('write_file', { path: 'outputs/figures.md', content })
  const bot = await startTestBot({ script: [write('all'), says('All of it.'), write('only Q3'), says('Only Q3.')] })
  const { conversation } = await bot.chat.say('the figures', { user: 'ana' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  const chips = page.locator('.file-chip')
  await chips.first().waitFor()
  const since = chips.getByText(/^changed since: ben, /)
  expect(await since.count()).toBe(0)
  await bot.chat.say('now only Q3', { conversation, user: 'ben' })
  await chips.nth(1).waitFor()
  await since.waitFor()
  expect(await chips.nth(0).getByText('changed since').count()).toBe(1)
})
