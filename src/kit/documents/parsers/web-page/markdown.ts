import TurndownService from 'turndown'
import { raised } from '../text/marks.ts'

/** The parts of an element that matter for Markdown. */
interface Element {
  localName: string
  parentNode: Element | null
  children: Iterable<Element>
  previousElementSibling: Element | null
  getAttribute(name: string): string | null
}

/** Markdown from the elements of a rewritten page. The plug-ins for tables take excessive time and memory. */
export function markdownOf(root: unknown): string {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  })
  turndown.addRule('link', { filter: 'a', replacement: (content, node) => link(content, own(node)) })
  turndown.addRule('image', { filter: 'img', replacement: (_, node) => image(own(node)) })
  turndown.addRule('struck', {
    filter: ['del', 's'],
    replacement: (content) => (content === '' ? '' : `~~${content}~~`),
  })
  // A minus at the beginning has been escaped, as if it began a list.
  turndown.addRule('raised', { filter: 'sup', replacement: (content) => raised(content.replace(/^\\-(?=[\dn])/, '-')) })
  turndown.addRule('cell', { filter: ['td', 'th'], replacement: (content) => `| ${cell(content)} ` })
  turndown.addRule('row', { filter: 'tr', replacement: (content, node) => row(content, own(node)) })
  turndown.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
  // Turndown accepts nodes of any DOM, but its types know only one.
  return turndown.turndown(root as Parameters<typeof turndown.turndown>[0])
}

// The nodes are those that were given to it.
const own = (node: unknown): Element => node as Element

function link(content: string, node: Element): string {
  const text = content.replace(/\s+/g, ' ').trim()
  const href = node.getAttribute('href') ?? ''
  if (text === '' || href === '') return text
  return `[${text}](${destination(href)})`
}

function image(node: Element): string {
  const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&')
  const source = node.getAttribute('src') ?? ''
  return isIn(node, 'a') ? `Image: ${alt}` : `[Image: ${alt}](${destination(source)})`
}

/** The URL parser leaves parentheses as they are. */
const destination = (url: string): string => url.replaceAll('(', '%28').replaceAll(')', '%29')

const cell = (content: string): string => content.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

/** The most columns for which a header is drawn. */
const mostColumns = 200

function row(content: string, node: Element): string {
  if (content === '') return ''
  const line = `\n${content}|`
  const section = node.parentNode
  const isFirst =
    node.previousElementSibling === null &&
    (section?.localName === 'table' || section?.previousElementSibling?.localName !== section?.localName) &&
    !hasRowsBefore(section)
  if (!isFirst) return line
  const columns = Math.min(mostColumns, [...node.children].length)
  return `${line}\n${'| --- '.repeat(columns)}|`
}

function hasRowsBefore(section: Element | null): boolean {
  if (section === null || section.localName === 'table') return false
  const before = section.previousElementSibling
  return before !== null && ['thead', 'tbody', 'tfoot', 'tr'].includes(before.localName)
}

function isIn(node: Element, name: string): boolean {
  for (let up = node.parentNode; up !== null; up = up.parentNode) if (up.localName === name) return true
  return false
}
