import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { drawsSlowly, picture, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { says } from '../support/model-server.ts'
import { richAnswer } from './rich-answer.ts'

const openPage = useBrowser()

async function write(page: Page, text: string) {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** What the page's policy refused. */
function violationsOn(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) found.push(message.text())
  })
  return found
}

for (const view of [{ name: 'light' }, { name: 'dark', dark: true }, { name: 'narrow', width: 390 }]) {
  test.skipIf(withoutBrowser)(
    `an answer has colours, formulas, a diagram and footnotes (${view.name}, needs chromium)`,
    async () => {
      const bot = await startTestBot({ script: [says(richAnswer)] })
      const page = await openPage(bot.chat.url, view)
      const violations = violationsOn(page)
      await drawsSlowly(page)
      await write(page, 'show me')

      const code = page.locator('.code-block').filter({ hasText: 'Python' }).first()
      await code.locator('.hljs-keyword').first().waitFor()
      expect(await shownText(code.locator('pre'))).toContain('def area(r: float) -> float:')
      await page.locator('.math-block[data-shown] .katex-display').first().waitFor()
      await page.locator('.diagram img').waitFor()
      expect(await page.evaluate("document.querySelector('.diagram img').naturalWidth")).toBeGreaterThan(50)
      const drawing = page.frames().find((frame) => frame.url().endsWith('/diagram'))
      expect(await drawing?.evaluate('self.origin')).toBe('null')
      await picture(page, `answer-${view.name}`)
      await page.getByText('How it was measured').click()
      await page.getByText('Nine runs').waitFor()
      await page.getByRole('button', { name: 'Footnote 1', exact: true }).click()
      expect(await page.evaluate('document.activeElement.textContent')).toContain('Archimedes')
      await picture(page, `answer-end-${view.name}`)
      expect(violations).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )
}

test.skipIf(withoutBrowser)('code is coloured however long its library takes to load (needs chromium)', async () => {
  const bot = await startTestBot({ script: [says(richAnswer)] })
  const page = await openPage(bot.chat.url)
  const delayMs = 3_500
  await page.route('**/highlight-worker.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    await route.continue()
  })
  await write(page, 'show me')
  await page.locator('.hljs-keyword').first().waitFor()
})

test.skipIf(withoutBrowser)(
  'code and formulas whose libraries couldn’t be loaded once are shown in the next answer (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: () => says(richAnswer) })
    const page = await openPage(bot.chat.url)
    const libraries = ['**/vendor/code/core.js', '**/vendor/math/katex.js', '**/vendor/math/katex.css']
    for (const library of libraries) await page.route(library, (route) => route.abort(), { times: 1 })
    const failed = libraries.map((library) =>
      page.waitForEvent('requestfailed', (request) => request.url().endsWith(library.slice(2))),
    )
    const isStyled = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/katex.css'))
    await write(page, 'show me')
    await Promise.all(failed)
    await page.getByText('How it was measured').waitFor()
    await write(page, 'and again')
    await page.locator('.hljs-keyword').first().waitFor()
    await page.locator('.math-block[data-shown]').first().waitFor()
    await isStyled
  },
)

const bomb = String.raw`\def\a#1{#1#1#1#1}\a{\a{\a{\a{\a{\a{\a{x}}}}}}}`
const hostile = [
  '```mermaid',
  '%%{init: {"securityLevel": "loose", "htmlLabels": true, "maxTextSize": 9999999}}%%',
  'flowchart TD',
  'A["<img src=x onerror=alert(1)>"] --> B',
  'click B href "javascript:alert(1)"',
  'click A call alert(1)',
  '```',
  '',
  `\\[ ${bomb} \\]`,
  '',
  String.raw`\(\href{javascript:alert(1)}{x}\) \(\htmlClass{card}{y}\) \(\rule{99999em}{99999em}\)`,
  '',
  '<details open onclick=alert(1)><summary>ok</summary></details><div class="card">approve</div>',
  '',
  '```mermaid',
  'flowchart TD',
  ...Array.from({ length: 900 }, (_, at) => `N${at} --> N${(at * 7) % 900}`),
  '```',
  '```mermaid',
  'flowchart TD',
  ...Array.from({ length: 299 }, (_, at) => `N${(at * 37) % 101} --> N${(at * 53 + 7) % 97}`),
  '```',
].join('\n')

test.skipIf(withoutBrowser)(
  'a hostile answer runs nothing, and what would freeze the page isn’t drawn (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [says(hostile)] })
    const page = await openPage(bot.chat.url)
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      dialog.dismiss()
    })
    await write(page, 'show me')

    await page.locator('.diagram img').first().waitFor()
    await page.getByText('This diagram can’t be drawn').first().waitFor()
    // A slow computer gives up on the last one.
    await page.getByText('Drawing…').last().waitFor({ state: 'detached' })
    expect(await page.locator('.prose a[href^="javascript"]').count()).toBe(0)
    expect(await page.locator('.prose .card').count()).toBe(0)
    expect(await page.locator('.prose svg a, .prose script, .prose iframe').count()).toBe(0)
    expect(dialogs).toEqual([])
  },
)
