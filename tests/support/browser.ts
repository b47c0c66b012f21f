import { existsSync } from 'node:fs'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { eventually, patienceMs } from './until.ts'

const program = '/usr/bin/chromium'

/** Without Chromium the browser tests are skipped, with a note at the end; `npm run verify` installs it and requires them. */
export const withoutBrowser = !existsSync(program) && process.env.BOBBIN_VERIFY === undefined

/** For a page: what it would wait up to 8 s for comes soon, such as the next attempt to send a message. */
export const shorterPauses = `{ const later = setTimeout
  setTimeout = (work, ms) => later(work, ms <= 8000 ? Math.min(ms, 50) : ms) }`

export type OpenPage = (url: string, options?: { width?: number; dark?: boolean }) => Promise<Page>

/** A browser for all tests of a file, and its pages one after the other, because starting them costs more than most tests. */
export function useBrowser(): OpenPage {
  let browser: Promise<Browser> | undefined
  const idle: Page[] = []
  afterAll(async () => (await browser)?.close())
  return async (url, options = {}) => {
    browser ??= launch()
    const page = idle.pop() ?? (await newPage(await browser))
    onTestFinished(async () => {
      if (page.isClosed()) return
      await forget(page)
      idle.push(page)
    })
    return openPage(page, url, options)
  }
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    timeout: patienceMs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** Errors on the page fail the test. */
async function openPage(page: Page, url: string, options: { width?: number; dark?: boolean }): Promise<Page> {
  await page.setViewportSize({ width: options.width ?? 1280, height: 860 })
  await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light' })
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(url)
  return page
}

async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-US' })
  page.setDefaultTimeout(patienceMs)
  return page
}

/** Each test's page knows nothing of those before it: its bot has an origin of its own, but cookies are the same for all ports. */
async function forget(page: Page): Promise<void> {
  await page.removeAllListeners(undefined, { behavior: 'wait' })
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().clearCookies()
  await page.goto('about:blank')
}

/** On a slow computer the page gives up on a diagram; here it waits until it is drawn. */
export const drawsSlowly = (page: Page): Promise<void> =>
  page.evaluate(`{ const later = setTimeout
    setTimeout = (work, ms) => later(work, ms === 6000 ? ${patienceMs} : ms) }`)

/** Tells the page that it is hidden or shown, because Playwright shows every page. */
export const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate(`{ Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
    document.dispatchEvent(new Event('visibilitychange')) }`)

/** It may be drawn anew meanwhile. */
export const scrollTo = (locator: Locator): Promise<void> => eventually(() => locator.scrollIntoViewIfNeeded())

/** The words that an element of a thread shows. What is out of sight, or new in this frame, isn't laid out and has none. */
export function shownText(locator: Locator): Promise<string> {
  return eventually(async () => {
    await locator.scrollIntoViewIfNeeded()
    const words = await locator.innerText()
    expect(words).not.toBe('')
    return words
  })
}

/** Saves screenshots if BOBBIN_PICTURES=/some/folder is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.BOBBIN_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}
