import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, setHidden, useBrowser, withoutBrowser } from '../support/browser.ts'
import { says } from '../support/model-server.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'the console shows what the context is made of, and the summary that is sent (needs chromium)',
  async () => {
    const bot = await startTestBot({
      script: ({ tools = [] }) => says(tools.length === 0 ? '## Facts\nThe keeper is called Magnolia.' : 'Noted.'),
      config: { sections: { context: { compact_messages: 2, recent: 0.01, recent_messages: 1 } } },
    })
    const { conversation } = await bot.chat.say('The keeper is called Magnolia.')
    const page = await openPage(bot.chat.url)
    await page.getByRole('link', { name: /The keeper/ }).click()
    const panel = page.getByRole('complementary', { name: 'Plan, files and context' })
    const bar = panel.getByRole('img')
    const tokens = async () =>
      Number(/About ([\d,]+) of/.exec((await bar.getAttribute('aria-label')) ?? '')?.[1]?.replace(',', ''))
    expect(await panel.getByRole('list', { name: 'Tokens' }).innerText()).toMatch(
      /^Instructions\s+[\d,]+\s+Tools\s+[\d,]+\s+People\s+\d+\s+Answers\s+\d+$/,
    )
    await panel.getByText('Show the instructions and tools').click()
    const sent = await bot.chat.get<{ instructions: string }>(`/agent/conversations/${conversation}/prompt`)
    expect(await panel.getByRole('group', { name: 'Instructions' }).innerText()).toBe(sent.instructions)
    await panel.getByText('read_file', { exact: true }).waitFor()
    await picture(page, 'context-prompt')
    await panel.getByText('Show the instructions and tools').click()

    const before = await tokens()
    await bot.chat.say(`The harbour is old. ${'It has seen many ships. '.repeat(60)}`, { conversation })
    await expect.poll(tokens).toBeGreaterThan(before)
    // A page that is hidden while its thread goes on catches up when it is shown.
    const seen = await tokens()
    await setHidden(page, true)
    await bot.chat.say(`The new one is not. ${'It has seen few. '.repeat(60)}`, { conversation })
    await page.getByText('The new one is not.').first().waitFor()
    await setHidden(page, false)
    await expect.poll(tokens).toBeGreaterThan(seen)
    await bot.chat.say('/compact', { conversation })
    await page.getByText('The history itself is unchanged').first().waitFor()
    await bot.chat.say('Go on.', { conversation })
    await panel.getByText('gets a summary of the messages').waitFor()
    await panel.getByText('Show the summary').click()
    await panel.getByText('The keeper is called Magnolia.').waitFor()
    await picture(page, 'context')
  },
)
