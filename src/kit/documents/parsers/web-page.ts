import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { Failure } from '../../failure.ts'
import { withoutInvisible } from '../../text/invisible.ts'
import { oneLine } from '../../text/text.ts'
import type { WebPage } from '../../web/port.ts'
import { type PageSource, tooComplex } from '../parse.ts'
import { decodedPage } from './html/decode.ts'
import { markdownOf } from './web-page/markdown.ts'
import { rewritePage } from './web-page/rewrite.ts'

/** In a larger page, the main part isn't looked for: as measured, this size takes two seconds. */
const readableElements = 10_000

/**
 * The main part of a page as Markdown. The page is first rewritten with only what people see, so that later steps get
 * nothing odd. Throws `too_complex`.
 */
export function readPage({ html, charset, url }: PageSource, mostCharacters: number): WebPage {
  try {
    const { document } = parseHTML(decodedPage(html, charset))
    const rewritten = rewritePage(document.childNodes, url)
    const markdown = withoutInvisible(mainPart(rewritten.html, rewritten.elements)).trim()
    const isCut = rewritten.isCut || markdown.length > mostCharacters
    const title = oneLine(withoutInvisible(rewritten.title).toWellFormed(), 200)
    return { title, markdown: markdown.slice(0, mostCharacters).toWellFormed(), isCut }
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof RangeError)) throw thrown
    throw tooComplex('its elements are nested too deeply')
  }
}

function documentOf(html: string) {
  const { document } = parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`)
  // Each `&lt;` would become a text of its own.
  document.body.normalize()
  return document
}

/** The whole page if no main part stands out, or if that would be next to nothing of the page. */
function mainPart(html: string, elements: number): string {
  const whole = documentOf(html)
  const wholeLength = whole.body.textContent?.trim().length ?? 0
  if (elements <= readableElements) {
    const article = new Readability(documentOf(html), { keepClasses: false }).parse()
    const length = article?.textContent?.trim().length ?? 0
    if (article?.content && length > 0 && (length >= 500 || length * 4 >= wholeLength))
      return markdownOf(documentOf(article.content).body)
  }
  return markdownOf(whole.body)
}
