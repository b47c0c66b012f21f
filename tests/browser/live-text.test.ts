import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { databasePlace } from '../../src/config/config.ts'
import { startTestBot } from '../support/bot.ts'
import { setHidden, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, hang, says } from '../support/model-server.ts'
import { changeIn } from '../support/rows.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'a text that streams stands there once, after a reload as well, and as far as it was shown after a stop (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [hang(4, says('one two three four five six'))] })
    const page = await openPage(bot.chat.url)
    await page.getByLabel('Message', { exact: true }).fill('talk')
    await page.keyboard.press('Enter')
    const shown = async (what: string) => (await page.locator(what).allInnerTexts()).map((one) => one.trim())
    const text = page.getByText('one two three')
    await text.waitFor()

    await page.reload()
    await text.waitFor()
    expect(await shown('.prose.live')).toEqual(['one two three'])
    await page.getByRole('button', { name: 'Stop' }).first().click()
    await page.locator('.prose:not(.live)').first().waitFor()
    expect(await shown('.prose')).toEqual(['one two three'])
  },
)

/** A page that lets go of its connection as soon as it is hidden, with the streams that it has opened. */
async function openThread(url: string) {
  const page = await openPage('about:blank')
  // What waits for ten or twenty seconds.
  await page.addInitScript(`{ const [later, often] = [setTimeout, setInterval]
    setTimeout = (work, ms) => later(work, ms === 10000 ? 0 : ms)
    setInterval = (work, ms) => often(work, ms === 20000 ? 200 : ms) }`)
  const streams: Request[] = []
  page.on('request', (one) => void (one.url().endsWith('/stream') && streams.push(one)))
  await page.goto(url)
  const hide = async () => {
    await expect.poll(() => streams.length).toBe(1)
    await setHidden(page, true)
    await expect.poll(() => streams[0]?.failure()?.errorText).toBe('net::ERR_ABORTED')
  }
  return { page, streams, hide }
}

test.skipIf(withoutBrowser)(
  'a page that shows more than there is since a restore shows what there is, and what is said then (needs chromium)',
  async () => {
    const bot = await startTestBot({ script: [says('Hello.'), says('Lost.'), says('Here I am.')] })
    const { conversation, events } = await bot.chat.say('hello', { user: 'ana' })
    const kept = events.at(-1)?.event_id ?? 0
    await bot.chat.say('and now?', { conversation, user: 'ana' })
    const { page, hide } = await openThread(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByText('Lost.', { exact: true }).waitFor()
    await hide()
    changeIn(
      databasePlace(bot.config),
      `delete from events where session_id = '${conversation}' and id > ${kept}`,
      `update sessions set next_event = ${kept + 1} where id = '${conversation}'`,
    )
    await setHidden(page, false)
    await page.getByText('restored from a backup').waitFor()
    await page.getByText('Hello.', { exact: true }).waitFor()
    expect(await page.getByText('Lost.', { exact: true }).count()).toBe(0)
    await page.getByLabel('Message', { exact: true }).fill('are you there?')
    await page.keyboard.press('Enter')
    await page.getByText('Here I am.', { exact: true }).waitFor()
    expect(await page.getByText('are you there?', { exact: true }).count()).toBe(1)
  },
)

test.skipIf(withoutBrowser)(
  'a hidden page lets go of its connection, tells of a request in its title, and catches up when it is shown (needs chromium)',
  async () => {
    const bot = await startTestBot({
      script: [says('Hello.'), calls('ask_human', { question: 'Which colour?' }), says('Blue, then.')],
    })
    const { conversation } = await bot.chat.say('hello', { user: 'ana' })
    const { page, streams, hide } = await openThread(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByText('Hello.', { exact: true }).waitFor()
    await hide()
    await bot.chat.say('paint it', { conversation, user: 'ana' })
    await expect.poll(() => page.title()).toMatch(/^\(1\)/)
    expect(streams).toHaveLength(1)
    await setHidden(page, false)
    await page.getByText('Which colour?').first().waitFor()
    // A page that is hidden before its next frame doesn't get that frame.
    await page.evaluate('requestAnimationFrame = () => 0')
    await bot.chat.say('blue', { conversation, user: 'ana' })
    await expect.poll(() => page.title()).not.toMatch(/^\(1\)/)
    await page.close()
  },
)
