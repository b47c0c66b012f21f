import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makes, planning, step } from '../plans/support.ts'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'
import { foundOn } from './axe.ts'

const openPage = useBrowser()

async function lookElsewhere(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Costs' }).click()
  await page.getByRole('heading', { name: 'Costs' }).waitFor()
  await page.goBack()
}

test.skipIf(withoutBrowser)(
  'what is filled in on a question stays, also when somebody else answers (needs chromium)',
  async () => {
    const also = [{ question: 'Who comes along?', options: ['Ana', 'Ben'], multiple: true }]
    const bot = await startTestBot({
      script: [calls('ask_human', { question: 'Where do we meet?', also }), says('Booked.')],
    })
    const { conversation } = await bot.chat.say('where?')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const card = page.getByRole('region', { name: 'Question' })
    await card.getByLabel('Your answer: Where do we meet?').fill('At the aviary')
    await card.getByRole('checkbox', { name: 'Ben' }).check()
    await lookElsewhere(page)
    expect(await card.getByLabel('Your answer: Where do we meet?').inputValue()).toBe('At the aviary')
    expect(await card.getByRole('checkbox', { name: 'Ben' }).isChecked()).toBe(true)
    await page.reload()
    expect(await card.getByLabel('Your answer: Where do we meet?').inputValue()).toBe('At the aviary')

    const [asked] = await bot.chat.requests()
    await bot.chat.answer(asked?.id ?? '', { answer: 'At the station', also: ['Ana'], user_id: 'ana' })
    const unsent = card.locator('.unsent-words')
    await unsent.getByText('At the aviary').waitFor()
    expect(await foundOn(page)).toEqual([])
    await unsent.getByRole('button', { name: 'Discard' }).click()
    await unsent.waitFor({ state: 'detached' })
  },
)

test.skipIf(withoutBrowser)(
  'the reason of a denial stays until it is sent, and so do changes to a plan (needs chromium)',
  async () => {
    const steps = [step('Read the offers'), step('Compare the prices')]
    const bot = await startTestBot({
      script: planning(
        [
          calls('run_command', { command: 'touch outputs/notes.md' }),
          makes(steps, { confidence: 50 }),
          says('Then not.'),
        ],
        () => says(''),
      ),
    })
    const { conversation } = await bot.chat.say('go @run_command')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByRole('button', { name: 'Deny and say why…' }).click()
    await page.getByLabel('Why not?').fill('It is needed')
    await lookElsewhere(page)
    await page.getByLabel('Do this instead').fill('Ask Ana')
    await page.getByLabel('Do this instead').press('Enter')
    await page.getByText('Instead: Ask Ana').waitFor()
    expect(await page.locator('.outcome', { hasText: 'It is needed' }).count()).toBe(1)

    const plan = page.getByRole('region', { name: 'Decision' })
    await plan.getByLabel('Add a note to step 1').fill('in euros')
    await plan.getByRole('button', { name: 'Drop step 2' }).click()
    await lookElsewhere(page)
    expect(await plan.getByLabel('Add a note to step 1').inputValue()).toBe('in euros')
    await plan.getByRole('button', { name: 'Keep step 2' }).waitFor()
    await plan.getByRole('button', { name: 'Don’t run it' }).click()
    await page.getByText('Then not.', { exact: true }).waitFor()
    expect(await page.locator('.unsent-words').count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)(
  'the form for a denial opens by itself only if there are words in it, and Back forgets them (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [calls('run_command', { command: 'touch outputs/notes.md' })] })
    const { conversation } = await bot.chat.say('go @run_command')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const opener = page.getByRole('button', { name: 'Deny and say why…' })
    const reason = page.getByLabel('Why not?')
    await opener.click()
    await reason.fill('It is needed')
    await reason.fill('')
    await lookElsewhere(page)
    await opener.click()
    await reason.fill('It is needed')
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await lookElsewhere(page)
    await opener.click()
    expect(await reason.inputValue()).toBe('')
  },
)

test.skipIf(withoutBrowser)(
  'the new text of a message and the words about an answer stay until they are sent or cancelled (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: () => says('Take the second offer.') })
    const { conversation } = await bot.chat.say('Which offer?', { user: 'you' })
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const edit = page.getByRole('button', { name: 'Edit the message' })
    const edited = page.getByLabel('The message’s new text')
    const bad = page.getByRole('button', { name: 'Bad answer' })
    const reason = page.getByLabel('What would have been a better answer?')
    await page.locator('.thread > .message').hover()
    await edit.click()
    await edited.fill('Which of the three offers?')
    await bad.click()
    await reason.fill('The third one')
    await lookElsewhere(page)
    await page.locator('.thread > .message').hover()
    await edit.click()
    expect(await edited.inputValue()).toBe('Which of the three offers?')
    await edited.press('Escape')
    await edit.click()
    expect(await edited.inputValue()).toBe('Which offer?')
    await bad.click()
    expect(await reason.inputValue()).toBe('The third one')
  },
)

test.skipIf(withoutBrowser)(
  'words that arrived aren’t shown as unsent where the response was lost (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [calls('run_command', { command: 'touch a.md' }), says('Then not.')] })
    const { conversation } = await bot.chat.say('go @run_command')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByRole('button', { name: 'Deny and say why…' }).click()
    await page.getByLabel('Why not?').fill('It is needed')
    await page.route('**/requests/*/answer', async (route) => {
      await route.fetch()
      await route.fulfill({ status: 502, body: 'Bad gateway' })
    })
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    await page.getByText('Then not.', { exact: true }).waitFor()
    await page.waitForFunction(`sessionStorage.getItem('bobbin.kept')?.includes('It is needed')`)
    expect(await page.locator('.outcome', { hasText: 'It is needed' }).count()).toBe(1)
    expect(await page.locator('.unsent-words').count()).toBe(0)
  },
)

test.skipIf(withoutBrowser)(
  'what was filled in on a card’s plan doesn’t break its question, nor the other way round (needs chromium)',
  async () => {
    const steps = [step('Read the offers'), step('Compare the prices')]
    const bot = await startTestBot({ script: planning([makes(steps, { confidence: 50 })], () => says('')) })
    const asks = await startTestBot({ script: [calls('ask_human', { question: 'Where do we meet?' })] })
    const forms = { plan: { steps: [], words: 'in euros' }, question: { chosen: [], other: 'At the aviary' } }
    for (const [{ chat }, filledIn, label] of [
      [bot, forms.question, 'Add a note to step 1'],
      [asks, forms.plan, 'Your answer'],
    ] as const) {
      const { conversation } = await chat.say('go')
      const page = await openPage(`${chat.url}/#/general/${conversation}`)
      await page.getByLabel(label).waitFor()
      const kept = JSON.stringify({ [(await chat.requests())[0]?.id ?? '']: filledIn })
      await page.evaluate(`sessionStorage.setItem('bobbin.kept', ${JSON.stringify(kept)})`)
      await page.reload()
      await page.getByLabel(label).fill('That will do')
    }
  },
)
