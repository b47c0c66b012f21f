import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { makes, planning, step } from '../plans/support.ts'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'

const openPage = useBrowser()

const address = '**/requests/*/answer'

/** Answers stay under way until `end` is called, and then their connection is lost. */
async function loseAnswers(page: Page) {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  onTestFinished(() => end())
  await page.route(address, async (route) => {
    await promise
    await route.abort()
  })
  return { end, sent: page.waitForRequest(address) }
}

const notices = (page: Page) => page.locator('.notice')

test.skipIf(withoutBrowser)(
  'a decision that fails after its card has left the screen is told elsewhere (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [calls('run_command', { command: 'touch a.md' })] })
    const { conversation } = await bot.chat.say('go @run_command')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const answers = await loseAnswers(page)
    await page.getByRole('button', { name: 'Approve once' }).click()
    await answers.sent
    await page.getByRole('link', { name: 'Costs' }).click()
    await page.getByRole('heading', { name: 'Costs' }).waitFor()
    answers.end()
    await notices(page).getByText('About your answer to “run_command”: Bobbin can’t be reached.').waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'an answer whose response was lost may have arrived, and sending it again says nothing else (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [calls('run_command', { command: 'touch a.md' }), says('Done.')] })
    const { conversation } = await bot.chat.say('go @run_command')
    const page = await openPage('about:blank')
    // Without it, the card doesn't settle.
    await page.route('**/stream', (route) => route.abort())
    await page.goto(`${bot.chat.url}/#/general/${conversation}`)
    const card = page.getByRole('region', { name: 'Approval' })
    const approve = card.getByRole('button', { name: 'Approve once' })
    await page.route(
      address,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await approve.click()
    await card.getByText('Your answer may not have arrived. Try again.').waitFor()
    await page.route(address, async (route) => {
      const response = await route.fetch()
      await page.unroute('**/stream')
      await card.getByText('Approved by you').waitFor()
      await route.fulfill({ response })
    })
    await approve.click()
    await card.and(page.locator(':focus')).waitFor()
    expect(await notices(page).count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)(
  'what is written beside the button that is pressed stays on the card as not sent (needs chromium)',
  async () => {
    const bot = await startTestBot({
      script: [calls('ask_human', { question: 'May I book it?', options: ['Yes', 'No'] }), says('Booked.')],
    })
    const { conversation } = await bot.chat.say('book')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const card = page.getByRole('region', { name: 'Question' })
    await card.getByLabel('Something else').fill('but only until Friday')
    await card.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('Booked.', { exact: true }).waitFor()
    const unsent = card.locator('.unsent-words')
    await unsent.getByText('but only until Friday').waitFor()
    await page.reload()
    await unsent.getByRole('button', { name: 'Discard' }).click()
    await unsent.waitFor({ state: 'detached' })
  },
)

test.skipIf(withoutBrowser)(
  'what is filled in stays while it is being sent, and so does what is written meanwhile (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: 'Where do we meet?' }), says('Fine.')] })
    const { conversation } = await bot.chat.say('where?')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const field = page.getByRole('region', { name: 'Question' }).getByLabel('Your answer')
    const answers = await loseAnswers(page)
    await field.fill('At the aviary')
    await field.press('Enter')
    await answers.sent
    await page.reload()
    expect(await field.inputValue()).toBe('At the aviary')
    const again = page.waitForRequest(address)
    await field.press('Enter')
    await again
    await page.getByRole('link', { name: 'Costs' }).click()
    await page.getByRole('heading', { name: 'Costs' }).waitFor()
    await page.goBack()
    expect(await field.inputValue()).toBe('At the aviary')
    await field.fill('At the station')
    answers.end()
    await notices(page).getByText('About your answer to “Where do we meet?”:').waitFor()
    await page.reload()
    expect(await field.inputValue()).toBe('At the station')
  },
)

test.skipIf(withoutBrowser)('the focus stays at a plan that is answered by keyboard (needs chromium)', async () => {
  const script = planning([makes([step('Read the offers')], { confidence: 50 }), says('Then not.')], () => says(''))
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('go')
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  const card = page.getByRole('region', { name: 'Decision' })
  await card.getByRole('button', { name: 'Don’t run it' }).press('Enter')
  await page.getByText('Then not.', { exact: true }).waitFor()
  await card.and(page.locator(':focus')).waitFor()
})
