import { expect, test } from 'vitest'
import { long } from '../delegation/support.ts'
import { makes, planning, step, tasksOf } from '../plans/support.ts'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says, status } from '../support/model-server.ts'
import { foundOn } from './axe.ts'

const openPage = useBrowser()

const steps = [
  step('Read the three offers and list what each of them costs', { agent: 'researcher' }),
  step('Look up what the suppliers charged last year'),
  step('Compare the prices', { after: [1, 2] }),
  step('Write a recommendation for the team', { after: [3], if_it_fails: 'ask' }),
]

test.skipIf(withoutBrowser).each([
  ['light', {}],
  ['dark', { dark: true }],
  ['narrow', { width: 390 }],
] as const)('a plan is changed in the console and followed there, %s (needs chromium)', async (name, options) => {
  const script = planning([makes(steps), says('Take the second offer.')], (about, { messages }) => {
    if (about.startsWith('Look up')) return status(400, { message: 'refused' })
    return messages.some(({ role }) => role === 'tool') ? says(long(about)) : calls('ask_human', { question: 'Which?' })
  })
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('go')
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`, options)
  const card = page.getByRole('region', { name: 'Decision' })
  await card.getByText('Shall I carry out this plan?').waitFor()
  await picture(page, `plan-${name}-asked`)
  expect(await foundOn(page)).toEqual([])
  await card.getByRole('button', { name: 'Move step 2 up' }).click()
  await card.getByRole('button', { name: 'Drop step 4' }).click()
  await card.getByLabel('Add a note to step 1').fill('in euros; without tax')
  await picture(page, `plan-${name}-changed`)
  await card.getByRole('button', { name: 'Run it with these changes' }).click()
  // It doesn't look stopped while a step waits for people.
  await page.getByText('Which?').first().waitFor()
  expect(await page.locator('.plan-steps > summary .spinner').count()).toBe(1)
  const question = (await bot.chat.requests()).at(-1)
  await bot.chat.answer(question?.id ?? '', { answer: 'All three.', user_id: 'ana' })
  await bot.chat.untilType(conversation, 'complete')
  await page.getByText('Take the second offer.').first().waitFor()
  expect(tasksOf(bot).find((task) => task.startsWith('Read'))).toContain('People added: in euros, without tax')
  expect(tasksOf(bot).some((task) => task.startsWith('Write'))).toBe(false)
  await picture(page, `plan-${name}-ended`)
  // Each step is one line: in the list beside the thread, and in it behind the plan's own.
  const line = page.locator('.plan-steps')
  const read = line.getByText('Step 2: Read the three offers')
  expect(await read.isVisible()).toBe(false)
  await line.getByText('1 of 3 steps done').click()
  await read.waitFor()
  await picture(page, `plan-${name}-steps`)
  expect(await foundOn(page)).toEqual([])
  if (name !== 'light') return
  const panel = page.locator('.panel')
  expect(await panel.getByRole('link', { name: /^Open subagent-/ }).count()).toBe(2)
  // It needed the step that failed.
  expect(await panel.getByText('3. Compare the prices').textContent()).toContain('not run')
})
