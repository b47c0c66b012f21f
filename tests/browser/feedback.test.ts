import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'
import { foundOn } from './axe.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)('an answer is called good or bad, with a reason (needs chromium)', async () => {
  const bot = await startTestBot({ script: () => says('Take the second offer.') })
  const { conversation } = await bot.chat.say('Which offer?', { user: 'you' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
  const good = page.getByRole('button', { name: 'Good answer' })
  const bad = page.getByRole('button', { name: 'Bad answer' })
  await good.click()
  await page.locator('.feedback-mark.good', { hasText: 'you' }).waitFor()
  expect(await good.getAttribute('aria-pressed')).toBe('true')
  await bad.click()
  await page.locator('.feedback-mark.bad', { hasText: 'you' }).waitFor()
  expect(await page.locator('.feedback-mark.good').count()).toBe(0)
  const reason = page.getByLabel('What would have been a better answer?')
  await page.getByRole('button', { name: 'Skip' }).press('Escape')
  await bad.and(page.locator(':focus')).waitFor()
  expect(await reason.count()).toBe(0)
  await bad.click()
  await reason.fill('It didn’t read the third offer.')
  await picture(page, 'feedback-form')
  expect(await foundOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await page.locator('.feedback-reason', { hasText: 'It didn’t read the third offer.' }).waitFor()
  await page.waitForFunction("document.activeElement.ariaLabel === 'Bad answer'")
  expect(await foundOn(page)).toEqual([])
  await picture(page, 'feedback-given')
  await page.reload()
  await page.locator('.feedback-reason', { hasText: 'It didn’t read the third offer.' }).waitFor()
  expect(await bad.getAttribute('aria-pressed')).toBe('true')
})

for (const [name, view] of [
  ['light', { width: 390 }],
  ['dark', { width: 390, dark: true }],
] as const)
  test.skipIf(withoutBrowser)(
    `on a phone one signs in, answers a question and signs out, ${name} (needs chromium)`,
    async () => {
      const options = [{ label: 'Berlin', recommended: true, estimated_time: '2 hours' }, { label: 'Vienna' }]
      const also = [{ question: 'Who comes along?', options: ['Ana', 'Ben'], multiple: true }]
      const ask = calls('ask_human', { question: 'Where do we meet?', options, also })
      const bot = await startTestBot({ script: [ask, says('Booked.')], config: { server: { host: '0.0.0.0' } } })
      const printed = new URL(bot.chat.url)
      const page = await openPage(`http://127.0.0.1:${printed.port}/`, view)
      const found: Record<string, string[]> = {}
      const token = page.getByLabel('Token')
      await token.fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This token isn’t valid.').waitFor()
      found.signIn = await foundOn(page)
      await picture(page, `sign-in-${name}`)
      await token.fill(printed.searchParams.get('token') ?? '')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Message', { exact: true }).fill('where?')
      await page.keyboard.press('Enter')
      const form = page.getByRole('region', { name: 'Question' })
      await form.getByRole('radio', { name: /Berlin/ }).check()
      found.question = await foundOn(page)
      await picture(page, `question-narrow-${name}`)
      await form.getByRole('checkbox', { name: 'Ana' }).check()
      await form.getByRole('button', { name: 'Answer' }).click()
      await page.getByText('Booked.', { exact: true }).waitFor()
      found.answered = await foundOn(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await page.getByRole('button', { name: 'Channels and threads' }).click()
      found.sidebar = await foundOn(page)
      await picture(page, `sidebar-narrow-${name}`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await token.waitFor()
      await page.reload()
      await token.waitFor()
      expect(found).toEqual({ signIn: [], question: [], answered: [], sidebar: [] })
    },
  )
