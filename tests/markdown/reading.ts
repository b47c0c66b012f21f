import type { Nodes, Parents, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** The tree as anybody's parser has it. */
export const treeOf = (markdown: string): Root =>
  fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: gfmFromMarkdown().map(({ transforms, ...extension }) => extension),
  })

/** A character that people see, and what it stands in, such as `quote item:2 strong`. */
export type Seen = string

/** What people see of Markdown texts: without white space, and without the head that a table repeats. */
export function seenIn(markdowns: string[]): Seen[] {
  const seen: Seen[] = []
  let lastHead = ''
  for (const markdown of markdowns) {
    const start = seen.length
    const isRepeated = (head: string): boolean => {
      const repeated = seen.length === start && head === lastHead
      lastHead = head
      return repeated
    }
    for (const block of treeOf(markdown).children) read(block, [], seen, isRepeated)
  }
  return seen
}

function read(node: Nodes, path: string[], seen: Seen[], isRepeated: (head: string) => boolean): void {
  if (node.type === 'table') {
    const repeated = isRepeated(path.join(' ') + node.children.slice(0, 1).map(textOf).join(''))
    for (const row of repeated ? node.children.slice(1) : node.children) {
      for (const [column, cell] of row.children.entries()) read(cell, [...path, `cell:${column}`], seen, isRepeated)
    }
  } else if (node.type === 'list') {
    for (const [index, item] of node.children.entries()) {
      const label = node.ordered ? `item:${(node.start ?? 1) + index}` : 'item'
      for (const child of item.children) read(child, [...path, label], seen, isRepeated)
    }
  } else if ('children' in node) {
    const label = labelOf(node)
    for (const child of node.children) read(child, label === '' ? path : [...path, label], seen, isRepeated)
  } else {
    const where = [...path, labelOf(node)].join(' ')
    const text = 'value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : ''
    for (const character of text.replace(/\s/g, '')) seen.push(`${character} ${where}`)
  }
}

function labelOf(node: Nodes | Parents): string {
  if (node.type === 'paragraph' || node.type === 'text') return ''
  if (node.type === 'heading') return `heading:${node.depth}`
  if (node.type === 'code') return `code:${node.lang ?? ''}`
  if (node.type === 'link') return `link:${node.url}`
  return node.type
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('children' in node) return node.children.map(textOf).join('')
  return ''
}
