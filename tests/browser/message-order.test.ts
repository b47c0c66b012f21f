import type { Page, Route } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { shorterPauses, useBrowser, withoutBrowser } from '../support/browser.ts'
import { ofType } from '../support/client.ts'
import { says } from '../support/model-server.ts'

/**
 * What the console sends by itself, and in which order:
 *
 * | A is under way, and then | |
 * |---|---|
 * | B is written | B waits until A has arrived or failed |
 * | an edit is written | it waits, too; if A's turn runs by then, it is refused, and a person decides |
 * | A is lost, as in an outage | B is lost with it; once the bot is back, A goes out, then B |
 * | A is lost, and C is written then | C goes out; once it has arrived, a person decides about A and B |
 * | `stop` is written | it goes out at once; B isn't sent, nor is A attempted again: a person decides |
 * | the page is loaded again | A goes out, then B; what a stop has overtaken stays, as do A with a file and B |
 */
const openPage = useBrowser()

async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** A thread whose first message from now on is under way until `goOn` is called. `sent`: the others that were sent. */
async function heldBack(end: (route: Route) => Promise<void>) {
  const bot = await startTestBot({ script: () => says('The **penguins** are fine.') })
  const { conversation } = await bot.chat.say('How is the aviary?', { user: 'you' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  await page.getByText('The penguins are fine.').waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  const sent: string[] = []
  await page.route('**/agent/chat', (route) => {
    const body = route.request().postData() ?? ''
    sent.push(body.startsWith('{') ? JSON.parse(body).message : body)
    return route.continue()
  })
  const held = async (route: Route) => {
    await promise
    await end(route)
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

for (const [how, end] of [
  ['takes long', (route: Route) => route.continue()],
  ['has to be sent again', (route: Route) => route.fulfill({ status: 502, body: 'Bad gateway' })],
] as const) {
  test.skipIf(withoutBrowser)(
    `a message goes out after the one before it, also if that ${how} (needs chromium)`,
    async () => {
      const { page, goOn, said, unsent } = await heldBack(end)
      await write(page, 'No wait, keep them')
      await unsent.getByText('No wait, keep them').waitFor()
      goOn()
      await expect.poll(said).toEqual(['How is the aviary?', 'Delete the offers', 'No wait, keep them'])
    },
  )
}

const overtaken = 'Not sent. You wrote “stop” after it.'

for (const stop of ['stop', '@bobbin stop']) {
  test.skipIf(withoutBrowser)(
    `“${stop}” doesn’t wait for the messages before it, and those that wait don’t follow it (needs chromium)`,
    async () => {
      const { page, sent, goOn, said, unsent } = await heldBack((route) => route.continue())
      await write(page, 'No wait, keep them')
      await write(page, stop)
      await expect.poll(() => sent).toEqual([stop])
      await write(page, 'And the owls?')
      const waited = unsent.filter({ hasText: 'No wait, keep them' })
      await waited.getByText(overtaken).waitFor()
      // It may still arrive.
      await unsent.filter({ hasText: 'Delete the offers' }).getByText('Sending…').waitFor()
      goOn()
      await expect.poll(said).toEqual(['How is the aviary?', 'stop', 'Delete the offers', 'And the owls?'])
      await page.reload()
      await waited.getByText(overtaken).waitFor()
      await waited.getByRole('button', { name: 'Try again' }).click()
      await expect.poll(said).toContain('No wait, keep them')
    },
  )
}

test.skipIf(withoutBrowser)('what a stop has overtaken isn’t attempted again (needs chromium)', async () => {
  const { page, goOn, said, sent, unsent } = await heldBack((route) => route.fulfill({ status: 502, body: 'Bad' }))
  await write(page, 'stop')
  await expect.poll(() => sent).toEqual(['stop'])
  const isAnswered = page.waitForResponse((response) => response.status() === 502)
  goOn()
  await isAnswered
  await unsent.filter({ hasText: 'Delete the offers' }).getByText(overtaken).waitFor()
  await write(page, 'And the owls?')
  await expect.poll(said).toEqual(['How is the aviary?', 'stop', 'And the owls?'])
})

test.skipIf(withoutBrowser)('“stop” with a file is no command, and waits (needs chromium)', async () => {
  const { page, sent, unsent } = await heldBack((route) => route.continue())
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
  await page.locator('input[type=file]').setInputFiles([file])
  await write(page, 'stop')
  await write(page, 'stop')
  await unsent.filter({ hasText: 'a.txt' }).getByText(overtaken).waitFor()
  expect(sent).toEqual(['stop'])
})

test.skipIf(withoutBrowser)(
  'what waits behind a lost message is lost with it, and goes after it (needs chromium)',
  async () => {
    const { page, goOn, said, unsent } = await heldBack((route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.evaluate(shorterPauses)
    await write(page, 'No wait, keep them')
    await unsent.getByText('No wait, keep them').waitFor()
    // It is back by the time of what would be the first attempt of the second one.
    await page.route('**/agent/chat', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }), { times: 5 })
    goOn()
    await unsent.getByText('Not sent.').nth(1).waitFor()
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await expect.poll(said).toEqual(['How is the aviary?', 'Delete the offers', 'No wait, keep them'])
  },
)

test.skipIf(withoutBrowser)(
  'what waits for a message with a file doesn’t go out without it when the page is loaded again (needs chromium)',
  async () => {
    const { page, unsent } = await heldBack((route) => route.abort())
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
    await page.locator('input[type=file]').setInputFiles([file])
    await page.keyboard.press('Enter')
    await unsent.filter({ hasText: 'a.txt' }).waitFor()
    await write(page, 'Sum it up')
    await unsent.filter({ hasText: 'Sum it up' }).waitFor()
    await page.reload()
    const left = unsent.filter({ hasText: 'Sum it up' })
    await left.getByText('Not sent. The page was closed before it was sent.').waitFor()
    // It was never under way.
    await left.getByRole('button', { name: 'Edit' }).waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'what waited when the page was loaded again can be edited once refused (needs chromium)',
  async () => {
    const { page, unsent } = await heldBack((route) => route.abort())
    await write(page, 'No wait, keep them')
    await unsent.getByText('No wait, keep them').waitFor()
    await page.route('**/agent/chat', (route) => route.fulfill({ status: 400, body: 'Bad request' }))
    await page.reload()
    await unsent.filter({ hasText: 'No wait, keep them' }).getByRole('button', { name: 'Edit' }).waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'what is lost behind a message with a file doesn’t go out without it when the page is loaded again (needs chromium)',
  async () => {
    const { page, goOn, said, unsent } = await heldBack((route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.evaluate(shorterPauses)
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
    await page.locator('input[type=file]').setInputFiles([file])
    await write(page, 'Here it is')
    await write(page, 'Sum it up')
    await page.route('**/agent/chat', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }), { times: 5 })
    goOn()
    await unsent.getByText('Not sent.').nth(2).waitFor()
    await page.reload()
    await expect.poll(said).toContain('Delete the offers')
    await unsent.filter({ hasText: 'Sum it up' }).getByText('Not sent.').waitFor()
  },
)
