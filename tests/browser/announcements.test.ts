import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'a screen reader is told of each request for approval, also in the words of the one before (needs chromium)',
  async () => {
    const run = (name: string) => calls('run_command', { command: `touch outputs/${name}.md` })
    const bot = await startTestBot({ script: [run('a'), run('b'), says('Done.')] })
    const page = await openPage(bot.chat.url)
    const field = page.getByLabel('Message', { exact: true })
    await field.waitFor()
    await page.evaluate(`{
      const region = document.querySelector('.unseen[aria-live=polite]')
      globalThis.told = []
      const options = { childList: true, characterData: true, subtree: true }
      new MutationObserver(() => globalThis.told.push(region.textContent.trim())).observe(region, options)
    }`)
    await field.fill('use @run_command for both')
    await field.press('Enter')
    // Each card goes before the next one comes.
    const approve = page.getByRole('button', { name: 'Approve once' })
    await approve.click()
    await page.getByText('outputs/b.md').first().waitFor()
    await approve.click()
    await page.getByText('Done.', { exact: true }).waitFor()
    const asked = 'Bobbin asks for approval to use run_command.'
    // What comes at once is told at once.
    await expect
      .poll(() => page.evaluate(`globalThis.told.filter(Boolean).join(' ')`))
      .toBe([asked, asked, 'Bobbin: a.md', 'Bobbin: Done.'].join(' '))
  },
)
