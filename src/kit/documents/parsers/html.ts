import { resolveEntities } from './html/entities.ts'
import { HtmlWriter } from './html/writer.ts'

/** Elements whose content is invisible. Not `head`: it may have no end tag, and what has text in it is here itself. */
const unseen = new Set(['script', 'style', 'title', 'noscript', 'template'])

/** Attributes of a longer tag aren't read: addresses of pictures in it may be megabytes. */
const tagCharacters = 20_000

/** A page as Markdown: headings, lists, tables, and addresses after the text of links. Takes linear time. */
export function markdownOfHtml(html: string): string {
  const writer = new HtmlWriter()
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf('<', at)
    if (start !== at) writer.text(resolveEntities(html.slice(at, start === -1 ? html.length : start)))
    if (start === -1) break
    if (!/[a-z/!?]/i.test(html.charAt(start + 1))) {
      writer.text('<')
      at = start + 1
      continue
    }
    const comment = html.startsWith('<!--', start)
    const end = comment ? html.indexOf('-->', start) : endOfTag(html, start)
    if (end === -1) break
    at = end + (comment ? 3 : 1)
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]{0,20})/i.exec(html.slice(start, start + 24)) ?? []
    const element = name.toLowerCase()
    if (slash === '' && unseen.has(element) && html[end - 1] !== '/') at = afterElement(html, at, element)
    else if (slash === '') writer.open(element, html.slice(start, Math.min(end, start + tagCharacters)))
    else if (slash === '/') writer.close(element)
  }
  return writer.end()
}

/** Where a tag ends: not within the value of an attribute, unless its quote is never closed. */
function endOfTag(html: string, start: number): number {
  const next = />|=\s*(?:(["'])|[^\s>"'][^\s>]*)?/g
  next.lastIndex = start
  for (let found = next.exec(html); found !== null; found = next.exec(html)) {
    if (found[0] === '>') return found.index
    const closed = found[1] === undefined ? -1 : html.indexOf(found[1], next.lastIndex)
    if (closed !== -1) next.lastIndex = closed + 1
  }
  return -1
}

/** Where an invisible element ends; without an end tag it hides the rest, as in browsers. */
function afterElement(html: string, from: number, element: string): number {
  for (let at = from; at < html.length; ) {
    const end = html.indexOf('</', at)
    if (end === -1) return html.length
    if (html.slice(end + 2, end + 2 + element.length).toLowerCase() === element) return end
    at = end + 2
  }
  return html.length
}
