import TurndownService from 'turndown'
import { raised } from '../text/marks.ts'
import { type Element, Tables } from './tables.ts'

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
  const tables = new Tables()
  turndown.addRule('cell', { filter: ['td', 'th'], replacement: (content, node) => tables.cell(content, own(node)) })
  turndown.addRule('row', { filter: 'tr', replacement: (content, node) => tables.row(content, own(node)) })
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

function isIn(node: Element, name: string): boolean {
  for (let up = node.parentNode; up !== null; up = up.parentNode) if (up.localName === name) return true
  return false
}
