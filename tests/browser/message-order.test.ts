import type { Page, Route } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { ofType } from '../support/client.ts'
import { says } from '../support/model-server.ts'

const openPage = useBrowser()

async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** A thread whose first message from now on is under way until `goOn` is called. `sent`: the others that were sent. */
async function heldBack(goOn: (route: Route) => Promise<void>) {
  const bot = await startTestBot({ script: () => says('The **penguins** are fine.') })
  const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  await page.getByText('The penguins are fine.').waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  const sent: string[] = []
  await page.route('**/agent/chat', (route) => {
    sent.push(JSON.parse(route.request().postData() ?? '{}').message)
    return route.continue()
  })
  const held = async (route: Route) => {
    await promise
    await goOn(route)
  }
  await page.route('**/agent/chat', held, { times: 1 })
  const isHeld = page.waitForRequest('**/agent/chat')
  await write(page, 'Delete the offers')
  await isHeld
  const said = async () => {
    const messages = ofType(await bot.chat.events(conversation), 'message').map(({ data }) => data)
    return messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  }
  return { page, sent, goOn: resolve, said, unsent: page.locator('.message.pending') }
}

for (const [how, goOn] of [
  ['takes long', (route: Route) => route.continue()],
  ['has to be sent again', (route: Route) => route.fulfill({ status: 502, body: 'Bad gateway' })],
] as const) {
  test.skipIf(withoutBrowser)(
    `a message goes out after the one before it, also if that ${how} (needs chromium)`,
    async () => {
      const { page, goOn: go, said, unsent } = await heldBack(goOn)
      await write(page, 'No wait, keep them')
      await unsent.getByText('No wait, keep them').waitFor()
      go()
      await expect.poll(said).toEqual(['How is the aviary?', 'Delete the offers', 'No wait, keep them'])
    },
  )
}

test.skipIf(withoutBrowser)('a stop doesn’t wait for the messages before it (needs chromium)', async () => {
  const { page, sent, goOn, said } = await heldBack((route) => route.continue())
  await write(page, 'No wait, keep them')
  await write(page, 'stop')
  await expect.poll(() => sent).toEqual(['stop'])
  await write(page, 'And the owls?')
  goOn()
  const all = ['How is the aviary?', 'stop', 'Delete the offers', 'No wait, keep them', 'And the owls?']
  await expect.poll(said).toEqual(all)
})
