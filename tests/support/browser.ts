import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { patienceMs } from './until.ts'

const program = '/usr/bin/chromium'

/** Without Chromium the browser tests are skipped, with a note at the end; `npm run verify` installs it and requires them. */
export const withoutBrowser = !existsSync(program) && process.env.BOBBIN_VERIFY === undefined

/** A page in a real browser, closed after the test. Errors on the page fail the test. */
export async function openPage(url: string, options: { width?: number; dark?: boolean } = {}): Promise<Page> {
  const browser: Browser = await chromium.launch({
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
  onTestFinished(() => browser.close())
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1280, height: 860 },
    colorScheme: options.dark ? 'dark' : 'light',
  })
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
