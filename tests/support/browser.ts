import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { patienceMs } from './until.ts'

const program = '/usr/bin/chromium'

/** Without Chromium the browser tests are skipped, with a note at the end; `npm run verify` installs it and requires them. */
export const withoutBrowser = !existsSync(program) && process.env.BOBBIN_VERIFY === undefined

export type OpenPage = (url: string, options?: { width?: number; dark?: boolean }) => Promise<Page>

/** A browser for all tests of a file, because starting one costs more than most tests. Each page knows nothing of the others. */
export function useBrowser(): OpenPage {
  let browser: Promise<Browser> | undefined
  afterAll(async () => (await browser)?.close())
  return async (url, options = {}) => {
    browser ??= launch()
    return openPage(await browser, url, options)
  }
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
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

/** Closed after the test. Errors on the page fail the test. */
async function openPage(browser: Browser, url: string, options: { width?: number; dark?: boolean }): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1280, height: 860 },
    colorScheme: options.dark ? 'dark' : 'light',
  })
  onTestFinished(() => page.close())
  page.setDefaultTimeout(patienceMs)
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(url)
  return page
}

/** Saves screenshots if BOBBIN_PICTURES=/some/folder is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.BOBBIN_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}
