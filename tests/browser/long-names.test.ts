import { expect, test } from 'vitest'
import { long } from '../delegation/support.ts'
import { makes, planning, step } from '../plans/support.ts'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { both, calls, says } from '../support/model-server.ts'
import { clippedOn } from './clipped.ts'

const openPage = useBrowser()

const many = 'the offers of all three suppliers for the new warehouse '.repeat(3)
const oneWord = 'Quarterly-comparison-of-suppliers-'.repeat(5)
const script = () =>
  planning(
    [
      both(
        calls('write_file', { path: `outputs/${oneWord}/${oneWord}.md`, content: 'one' }),
        calls('write_file', { path: `outputs/${oneWord}.csv`, content: 'a,b\n1,2\n' }),
      ),
      makes([step(`Read ${many}`, { agent: 'researcher' }), step(oneWord)], {
        title: `Compare ${many}`,
        confidence: 40,
      }),
      says(`It is in \`${oneWord}\`, and ${oneWord}.`),
    ],
    (about) => says(long(about)),
  )

test.skipIf(withoutBrowser).each([
  ['light', {}],
  ['dark', { dark: true }],
  ['narrow', { width: 390 }],
] as const)('long names and titles end in an ellipsis or wrap, %s (needs chromium)', async (name, options) => {
  const bot = await startTestBot({ script: script() })
  const { conversation } = await bot.chat.say(`${oneWord} please`)
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`, options)
  await page.getByText('Shall I carry out this plan?').waitFor()
  await picture(page, `long-names-${name}-asked`)
  expect(await clippedOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Run it', exact: true }).click()
  await bot.chat.untilType(conversation, 'complete')
  await page.locator('.chip').first().waitFor()
  await page.locator('.turn .call-name').filter({ hasText: 'Planning: Compare' }).waitFor()
  await picture(page, `long-names-${name}-ended`)
  expect(await clippedOn(page)).toEqual([])
  await page.locator('.chip button').last().click()
  await page.getByRole('region', { name: 'Preview' }).getByText('one', { exact: true }).waitFor()
  await picture(page, `long-names-${name}-file`)
  expect(await clippedOn(page)).toEqual([])
})
