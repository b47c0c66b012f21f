import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../src/domain/events.ts'
import { type CallId, newId, type SessionId, type TurnId } from '../../src/domain/ids.ts'
import { appendEvents } from '../../src/store/events.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { both, calls, manyCalls, type ScriptedReply, says } from '../support/model-server.ts'
import { storeOf, threadIn } from '../support/threads.ts'

const openPage = useBrowser()
const local = { platform: 'console', tenant: 'local', project: 'general' }
const person = { id: 'you', name: 'you' }

function turn(number: number): NewEvent[] {
  const turn_id = newId('turn')
  const text = `Please do step ${number}.`
  const steps = Array.from({ length: 4 }, (): NewEvent[] => {
    const call = { turn_id, call_id: newId('call'), tool_name: 'read_file' }
    return [
      { type: 'act', data: { ...call, tool_input: { path: 'a.md' }, attempt: 1 } },
      { type: 'observe', data: { ...call, status: 'done', result: 'x', duration_ms: 1 } },
    ]
  })
  return [
    { type: 'message', data: { message_id: newId('msg'), role: 'user', text, files: [], person } },
    { type: 'start', data: { turn_id, reason: 'message' } },
    ...steps.flat(),
    { type: 'complete', data: { turn_id, content: `Step **${number}** is done.`, files: [], steps: 5 } },
  ]
}

/** A thread of so many turns, which is more events than the page loads at once. */
async function longThread(bot: TestBot, turns: number): Promise<string> {
  const events = Array.from({ length: turns }, (_, index) => turn(index + 1)).flat()
  const { id } = await threadIn(await storeOf(bot), local, 'Long', events)
  return id
}

/** The numbers of the steps that are on the page, and how far each is from the top of the window. */
const steps = (page: Page) =>
  page.evaluate<[number, number][]>(
    `[...document.querySelectorAll('.thread > .message')].map((one) => [Number(/step (\\d+)/.exec(one.textContent)?.[1]), one.getBoundingClientRect().top])`,
  )
const numbers = async (page: Page) => (await steps(page)).map(([number]) => number)

/** Turns the wheel, and waits until what is on screen has moved by that much, neither more nor less. False at the end. */
async function scrolls(page: Page, byPx: number): Promise<boolean> {
  const [number, top] = (await steps(page)).find(([, at]) => at > 200 && at < 650) ?? [0, 0]
  expect(number).not.toBe(0)
  const room = await page.evaluate<number>(
    `(() => { const { scrollTop, scrollHeight, clientHeight } = document.querySelector('.scroller')
      return ${byPx} < 0 ? -scrollTop : scrollHeight - scrollTop - clientHeight })()`,
  )
  const by = byPx < 0 ? Math.max(byPx, room) : Math.min(byPx, room)
  if (Math.abs(by) < 1) return false
  await page.mouse.wheel(0, by)
  await expect
    .poll(async () => Math.abs(((await steps(page)).find(([one]) => one === number)?.[1] ?? 1e6) - (top - by)))
    .toBeLessThan(4)
  return true
}

async function scrollToEnd(page: Page, byPx: number, seen: Set<number>): Promise<void> {
  await page.mouse.move(600, 400)
  while (await scrolls(page, byPx)) {
    const here = await numbers(page)
    for (const number of here) seen.add(number)
    // Without gaps, and not all of them.
    expect(here).toEqual(here.map((_, index) => (here[0] ?? 0) + index))
    expect(here.length).toBeLessThan(90)
  }
}

const folded = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true })
const toolCalls = (page: Page) => page.locator('.turn li.call')

async function answered(script: ScriptedReply[], files: Record<string, string> = {}) {
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('Look through all of it', { user: 'ana', files })
  return { bot, address: `${bot.chat.url}/#/general/${conversation}` }
}

describe.skipIf(withoutBrowser)('a long thread (needs chromium)', () => {
  test('is read to its beginning and back by scrolling, and nothing jumps', async () => {
    const bot = await startTestBot({ script: [says('One more is done.')] })
    const id = await longThread(bot, 160)
    const page = await openPage(`${bot.chat.url}/#/general/${id}`)
    await page.getByText('Please do step 160.').waitFor()
    expect(await numbers(page)).not.toContain(100)

    const up = new Set<number>()
    await scrollToEnd(page, -400, up)
    expect(up.size).toBe(160)
    expect(await page.getByText('Please do step 1.', { exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Show earlier messages' }).count()).toBe(0)
    expect(await numbers(page)).not.toContain(160)
    await picture(page, 'long-thread-beginning')

    const down = new Set<number>()
    await scrollToEnd(page, 400, down)
    expect(down.size).toBe(160)
    expect(await page.getByText('Please do step 160.').isVisible()).toBe(true)
  })

  test('stays where somebody scrolls to while more is drawn', async () => {
    const bot = await startTestBot()
    const id = await longThread(bot, 60)
    const page = await openPage(`${bot.chat.url}/#/general/${id}`)
    await page.getByText('Please do step 60.').waitFor()
    const moved = page.evaluate<number>(`(async () => {
      const [scroller, content] = ['.scroller', '.thread'].map((one) => document.querySelector(one))
      scroller.scrollTop = 2000
      const seen = [...content.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > 0)
      const before = seen.getBoundingClientRect().top
      await new Promise((done) => {
        const observer = new MutationObserver(() => {
          observer.disconnect()
          scroller.scrollTop -= 150
          done()
        })
        observer.observe(content, { childList: true })
      })
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return seen.getBoundingClientRect().top - before })()`)
    expect(await moved).toBeCloseTo(150, 0)
  })

  test('follows what is new after one has read its beginning, though the bot was busy meanwhile', async () => {
    const bot = await startTestBot({ script: [says('One more is done.')] })
    const id = await longThread(bot, 160)
    const page = await openPage(bot.chat.url)
    const busy = (path: string) =>
      page.route(`**/conversations/${id}${path}`, (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
    await busy('')
    await page.locator('.thread-link', { hasText: 'Long' }).click()
    const failure = page.locator('.thread .failure')
    await page.getByText('Please do step 160.').or(failure).first().waitFor()
    expect(await failure.count()).toBe(0)
    await busy('/events?*')
    // What is drawn above is followed by a frame that puts the place back. Whoever is at the top already scrolls again after a failure.
    const atBeginning = () =>
      page.evaluate(`(async () => { const scroller = document.querySelector('.scroller')
        const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        scroller.scrollTop = 2
        await frames()
        scroller.scrollTop = 0
        await frames()
        return scroller.scrollTop === 0 && !document.querySelector('.earlier') })()`)
    const answered503 = page.getByText('The bot answered with status 503.')
    await expect.poll(async () => (await atBeginning()) || (await answered503.count()) > 0).toBe(true)
    expect(await failure.count()).toBe(0)
    await expect.poll(atBeginning).toBe(true)
    await bot.chat.say('And one more', { conversation: id, user: 'ana' })
    await page.getByRole('button', { name: 'New messages' }).waitFor()
    expect(await page.getByText('Please do step 1.', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'New messages' }).click()
    await page.getByText('One more is done.', { exact: true }).waitFor()
    expect(await numbers(page)).toContain(160)
    await expect.poll(() => page.getByRole('button', { name: /New messages|Jump to the end/ }).count()).toBe(0)
  })

  test('opens over a bad line, which has to carry no large part of it twice', async () => {
    const bot = await startTestBot()
    const large = Array.from({ length: 60 }, (_, index) => turn(index + 1)).flat()
    for (const event of large) if (event.type === 'observe') event.data.result = 'x'.repeat(20_000)
    const { id } = await threadIn(await storeOf(bot), local, 'Large', large)
    const page = await openPage(bot.chat.url)
    const asked: string[] = []
    await page.route(`**/conversations/${id}/events?*`, (route) => {
      asked.push(/from_sequence=\d+/.exec(route.request().url())?.[0] ?? '')
      return asked.length === 3 ? route.abort() : route.continue()
    })
    await page.locator('.thread-link', { hasText: 'Large' }).click()
    await page.getByText('Please do step 60.').waitFor()
    expect(asked.length).toBeGreaterThan(4)
    expect(asked[3]).toBe(asked[2])
    expect(new Set(asked).size).toBe(asked.length - 1)
  })

  test('shows a card that has waited since before thousands of events, and takes its answer', async () => {
    const ask = calls('ask_human', { question: 'May I book it?', options: ['Yes', 'No'] })
    const bot = await startTestBot({ script: [ask, says('Booked.')] })
    const { conversation } = await bot.chat.say('Find a room', { user: 'you' })
    await bot.chat.untilType(conversation, 'question_asked')
    const { requests } = await bot.chat.get<{ requests: { turn_id: TurnId; call_id: CallId }[] }>('/requests')
    const output = Array.from({ length: 1600 }, () =>
      requests.map(({ turn_id, call_id }): NewEvent => ({ type: 'output', data: { turn_id, call_id, text: '.' } })),
    )
    const store = await storeOf(bot)
    await store.transaction((tx) => appendEvents(tx, conversation as SessionId, output.flat()))
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByRole('button', { name: 'Yes' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(1\)/)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.locator('.thread').getByText('Booked.').waitFor()
  })

  test('shows what was said before a turn of thousands of steps that were deleted', async () => {
    const bot = await startTestBot()
    const store = await storeOf(bot)
    const events = [...turn(1), ...turn(2)]
    const { id } = await threadIn(store, local, 'Long', events.slice(0, -1))
    await store.transaction(async (tx) => {
      await tx.db
        .updateTable('sessions')
        .set((eb) => ({ next_event: eb('next_event', '+', 4000) }))
        .where('id', '=', id)
        .execute()
    })
    await store.transaction((tx) => appendEvents(tx, id, events.slice(-1)))
    const page = await openPage(`${bot.chat.url}/#/general/${id}`)
    await page.getByText('Please do step 1.', { exact: true }).waitFor()
    expect(await numbers(page)).toEqual([1, 2])
    await expect.poll(() => page.getByRole('button', { name: 'Show earlier messages' }).count()).toBe(0)
  })
})

describe.skipIf(withoutBrowser)('much of one kind is folded (needs chromium)', () => {
  test('fifteen files', async () => {
    const files = Object.fromEntries(Array.from({ length: 15 }, (_, number) => [`part-${number}.txt`, 'x']))
    const { address } = await answered([says('Seen.')], files)
    for (const [name, options] of [
      ['many-files', {}],
      ['many-files-dark', { dark: true }],
      ['many-files-narrow', { width: 390 }],
    ] as const) {
      const page = await openPage(address, options)
      await folded(page, '9 more files').waitFor()
      const chips = page.locator('.message .chip')
      expect(await chips.count()).toBe(6)
      await picture(page, name)
      await folded(page, '9 more files').click()
      await expect.poll(() => chips.count()).toBe(15)
      expect(await folded(page, '9 more files').count()).toBe(0)
    }
  })

  test('thirty calls at once', async () => {
    const { address } = await answered([manyCalls(30), says('All done.')])
    const page = await openPage(address)
    await folded(page, '24 earlier calls').waitFor()
    expect(await toolCalls(page).count()).toBe(6)
    await folded(page, '24 earlier calls').click()
    await expect.poll(() => toolCalls(page).count()).toBe(30)
  })

  test('thirty calls with text between them', async () => {
    const step = (number: number) => both(says(`Now pattern ${number}.`), calls('find_files', { pattern: `${number}` }))
    const { address } = await answered([...Array.from({ length: 30 }, (_, number) => step(number)), says('All done.')])
    for (const [name, options] of [
      ['many-calls', {}],
      ['many-calls-dark', { dark: true }],
      ['many-calls-narrow', { width: 390 }],
    ] as const) {
      const page = await openPage(address, options)
      await folded(page, '24 earlier calls').waitFor()
      expect(await toolCalls(page).count()).toBe(6)
      expect(await page.getByText('Now pattern 3.').count()).toBe(0)
      await page.getByText('Now pattern 28.').waitFor()
      await page.getByText('All done.').waitFor()
      await picture(page, name)
      await folded(page, '24 earlier calls').click()
      await expect.poll(() => toolCalls(page).count()).toBe(30)
      await page.getByText('Now pattern 3.').waitFor()
    }
  })
})
