import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { insertIgnored } from '../../src/store/ignored.ts'
import { startTestBot } from '../support/bot.ts'
import { picture, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { fakePlatform, startConsole } from '../support/console.ts'
import { eventful } from '../support/eventful.ts'
import { ignoredIn } from '../support/ignored.ts'
import { calls, hang, says } from '../support/model-server.ts'
import { inSlack, says as saysThere, storeOf, threadIn } from '../support/threads.ts'

const openPage = useBrowser()

const note = 'This thread is in Slack. Write there.'

const textField = (page: Page) => page.getByLabel('Message', { exact: true })

/** Slack, disconnected, and Discord, with threads in both. */
async function platforms() {
  const deaf = { ok: false, detail: 'Slack does not accept the token: invalid_auth.' }
  const { chat, store } = await startConsole([fakePlatform('discord'), fakePlatform('slack', deaf)])
  const session = await threadIn(store, inSlack('C0SALES'), 'How did we sell in May?', eventful)
  await threadIn(store, inSlack('C0HELP'), 'Who has the key?')
  await threadIn(
    store,
    { platform: 'discord', tenant: '1100000000000000001', project: '1200000000000000001' },
    'Deploy',
  )
  return { chat, store, session }
}

test.skipIf(withoutBrowser)(
  'threads of all platforms are found, and only read where they live elsewhere (needs chromium)',
  async () => {
    const { chat, session } = await platforms()
    const page = await openPage(chat.url)
    await textField(page).waitFor()
    const slack = page.getByRole('region', { name: 'Slack, T1' })
    await slack.getByRole('link', { name: 'C0SALES' }).click()
    await page.getByText('This channel is in Slack. Mention the bot there to start a thread.').waitFor()
    expect(await page.getByRole('link', { name: 'New thread' }).count()).toBe(0)
    await slack.getByRole('link', { name: 'How did we sell in May?' }).click()
    await page.getByText(note).waitFor()
    expect(await textField(page).count()).toBe(0)
    const outside = page.getByRole('link', { name: 'Open in Slack' })
    expect(await outside.getAttribute('href')).toBe(`https://slack.example/C0SALES/${session.thread.thread}`)
    expect(await page.getByRole('region', { name: 'Discord, 1100000000000000001' }).getByRole('link').count()).toBe(1)
    await page.getByText('Gladly. What is it about?').waitFor()
    await picture(page, 'slack-thread')

    await page.getByRole('link', { name: 'general' }).click()
    await textField(page).waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'what happened in a thread is seen: edits, deletions, judgements, what was forgotten or not posted (needs chromium)',
  async () => {
    const { chat, session } = await platforms()
    const page = await openPage(`${chat.url}/#/slack:T1:C0SALES/${session.id}`, { dark: true })
    const thread = page.getByRole('main')
    await thread.getByText('12 earlier messages were read').waitFor()
    const edited = page.getByRole('article', { name: 'Ben Okri' }).first()
    expect(await shownText(edited)).toMatch(/edited\s+And in June\? I mean the west\./)
    expect(await shownText(page.getByRole('article', { name: 'Ben Okri' }).nth(1))).toMatch(/deleted$/)
    const words = (await thread.textContent()) ?? ''
    expect(words).not.toMatch(/hunter2|the east/)
    expect(words.match(/In May we sold 120\./g)).toHaveLength(1)
    expect(words).toContain('Ana Novak cleared the history above')
    expect(await page.getByTitle('Good answer: Ana Novak').count()).toBe(1)
    expect(await page.getByTitle('Bad answer: Ben Okri').count()).toBe(1)
    expect(await shownText(page.getByRole('group', { name: 'Warning' }))).toBe(
      'This could not be posted in the thread: it is gone.',
    )
    expect(await page.getByRole('status', { name: 'Connections' }).innerText()).toBe(
      'Slack isn’t connected. Slack does not accept the token: invalid_auth.',
    )
    await picture(page, 'slack-thread-dark')
  },
)

test.skipIf(withoutBrowser)(
  'a thread is shown as what it is, whatever the address said of its channel (needs chromium)',
  async () => {
    const { chat, session } = await platforms()
    const page = await openPage(`${chat.url}/#/general/${session.id}`, { width: 390 })
    await page.getByText(note).waitFor()
    expect(new URL(page.url()).hash).toBe(`#/slack:T1:C0SALES/${session.id}`)
    await picture(page, 'slack-thread-narrow')
    await page.getByRole('button', { name: 'Channels and threads' }).click()
    await page.getByRole('region', { name: 'Slack, T1' }).waitFor()
    await picture(page, 'platforms-narrow')
  },
)

test.skipIf(withoutBrowser)(
  'an operator approves, stops and resumes what runs in a thread of another platform (needs chromium)',
  async () => {
    const tools = {
      write_file: { approvals: true, mode: 'confirm' as const, risk: 'high' as const, reason: 'It writes.' },
    }
    const long = hang(8, says('a b c d e f g h i j k l m n o p q r s t u v w x y z'))
    const bot = await startTestBot({
      script: [calls('write_file', { path: 'outputs/a.txt', content: 'hello' }), long, says('Here it is.')],
      config: {
        engine: { sweepMs: 100 },
        rules: { tools },
      },
    })
    const store = await storeOf(bot)
    const session = await threadIn(store, inSlack(), 'Write it')
    await saysThere(store, session, 'Write it')
    const page = await openPage(bot.chat.url)
    await page.getByRole('button', { name: 'A thread is waiting for you' }).click()
    await page.getByText(note).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText(/^Approved/).waitFor()
    await expect.poll(() => bot.model.requests.length).toBe(2)
    await page.getByRole('button', { name: 'Stop this turn' }).click()
    await page.getByText('Stopped by the operator').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Here it is.').waitFor()
    await picture(page, 'slack-operated')
  },
)

test.skipIf(withoutBrowser)(
  'a page says which messages were not answered, and why; one is found by its link (needs chromium)',
  async () => {
    const { chat, store } = await platforms()
    const reasons = [
      ignoredIn(
        inSlack('C0SALES'),
        '1700000000.000100',
        'It doesn’t mention the bot, and this isn’t one of its threads.',
      ),
      ignoredIn(inSlack('C0HELP'), '1700000000.000200', 'This person isn’t listed in access.users.', 'Ben'),
    ]
    for (const [index, reason] of reasons.entries()) {
      await store.transaction((tx) => insertIgnored({ ...tx, now: tx.now + index }, reason))
    }
    const page = await openPage(chat.url)
    await page.getByRole('link', { name: 'Not answered' }).click()
    await page.getByText('This person isn’t listed in access.users.').waitFor()
    expect(await page.locator('.ignored').allInnerTexts()).toEqual([
      expect.stringMatching(/^Ben\s+Slack\s+C0HELP\s+(now|\d+ min)/),
      expect.stringMatching(/^Ana\s+Slack\s+C0SALES\s+(now|\d+ min)/),
    ])
    await picture(page, 'not-answered')
    const answered = Promise.withResolvers<void>()
    await page.route('**/ignored?message=*', async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.getByLabel('Message').fill('https://slack.example/C0SALES/1700000000.000100')
    await page.keyboard.press('Enter')
    await page.getByLabel('Loading').waitFor()
    expect(await page.locator('.ignored').count()).toBe(0)
    answered.resolve()
    await expect.poll(() => page.locator('.ignored').count()).toBe(1)
    expect(await shownText(page.locator('.ignored'))).toContain('this isn’t one of its threads')
    await page.getByLabel('Message').fill('1699999999.000100')
    await page.keyboard.press('Enter')
    await page.getByText('There’s no record of this message').waitFor()
    await page.getByRole('link', { name: 'New thread' }).click()
    await textField(page).waitFor()
  },
)
