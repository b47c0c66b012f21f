import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** What axe finds on the page as it is, in words. */
export async function foundOn(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'))
  // What fades in has no contrast yet.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))',
  )
  // The frame that draws diagrams shows nothing.
  const found: Violation[] = await page.evaluate(
    "axe.run({ exclude: ['.diagram-frame'] }, { iframes: false }).then(({ violations }) => violations)",
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
