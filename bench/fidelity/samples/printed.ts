import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import type { Sample } from '../sample.ts'
import type { Story } from '../texts.ts'
import { everywhere, headed, hyphenated } from './pages.ts'

const program = '/usr/bin/chromium'

export interface Printed {
  samples: Sample[]
  /** Sentences on what could not be made on this machine. */
  leftOut: string[]
}

/** Pages as a browser prints them, in each language that the machine has letters for. */
export async function printedSamples(stories: Map<string, Story>): Promise<Printed> {
  if (!existsSync(program)) return { samples: [], leftOut: [`Printed pages are left out: there is no ${program}.`] }
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  const printed: Printed = { samples: [], leftOut: [] }
  try {
    for (const [code, story] of stories) {
      if (!(await hasFont(code))) {
        printed.leftOut.push(`Printed pages in ${code} are left out: there is no font for it.`)
        continue
      }
      for (const make of [...everywhere, ...(code === 'de' ? [hyphenated, headed] : [])]) {
        const { html, header, ...sample } = make(story)
        const direction = code === 'ar' ? 'rtl' : 'ltr'
        const bytes = await print(
          browser,
          `<html lang="${code}" dir="${direction}"><style>${style}</style>${html}`,
          header,
        )
        const feature = `printed, ${code}: ${sample.feature}`
        printed.samples.push({ ...sample, kind: 'pdf', feature, name: 'printed.pdf', bytes })
      }
    }
  } finally {
    await browser.close()
  }
  return printed
}

async function hasFont(code: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('fc-list', [`:lang=${code}`]).catch(() => ({ stdout: '' }))
  return stdout !== ''
}

const style = `body { font: 11pt/1.4 "Liberation Serif", "DejaVu Sans" } td, th { padding: 3px 6px; font-size: 9pt }
  .ruled td, .ruled th { border: 1px solid } table { border-collapse: collapse; width: 100%; text-align: start }
  .two { columns: 2; column-gap: 8mm } .three { columns: 3; column-gap: 5mm; font-size: 9pt } .beside { display: flex; gap: 30mm }
  .narrow { width: 75mm; text-align: justify; hyphens: manual } .spaced h2 { letter-spacing: 4px } .number { text-align: end }`

async function print(browser: Browser, html: string, header?: string): Promise<Uint8Array> {
  const page = await browser.newPage()
  try {
    await page.setContent(html)
    const margin = { top: '20mm', bottom: '20mm', left: '20mm', right: '20mm' }
    const templates = {
      displayHeaderFooter: true,
      headerTemplate: furniture(header ?? ''),
      footerTemplate: furniture(''),
    }
    return await page.pdf({ format: 'A4', margin, ...(header === undefined ? {} : templates) })
  } finally {
    await page.close()
  }
}

const furniture = (text: string): string =>
  `<div style="font-size: 8pt; width: 100%; text-align: center">${text} <span class="pageNumber"></span>/<span class="totalPages"></span></div>`
