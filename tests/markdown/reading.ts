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

/** What people see of a Markdown text: without white space, and without the heads of tables that were just seen. */
export function seenIn(markdowns: string[]): Seen[] {
  const seen: Seen[] = []
  let lastHead = ''
  for (const markdown of markdowns) {
    const root = treeOf(markdown)
    let first = true
    for (const block of root.children) {
      read(block, [], (head) => {
        const repeated = first && head === lastHead
        lastHead = head
        return repeated
      })
      first = false
    }
  }
  return seen

  function read(node: Nodes, path: string[], isRepeated: (head: string) => boolean): void {
    if (node.type === 'table') {
      const head = JSON.stringify(path) + textOf(node.children[0] as Nodes)
      const rows = isRepeated(head) ? node.children.slice(1) : node.children
      for (const row of rows)
        for (const [index, cell] of row.children.entries()) read(cell, [...path, `cell:${index}`], isRepeated)
      return
    }
    if (node.type === 'list') {
      for (const [index, item] of node.children.entries()) {
        const label = node.ordered ? `item:${(node.start ?? 1) + index}` : 'item'
        for (const child of item.children) read(child, [...path, label], isRepeated)
      }
      return
    }
    if ('children' in node) {
      const label = labelOf(node)
      for (const child of node.children) read(child, label === '' ? path : [...path, label], isRepeated)
      return
    }
    const where = [...path, labelOf(node)].join(' ')
    for (const character of ('value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : '').replace(/\s/g, ''))
      seen.push(`${character} ${where}`)
  }
}

function labelOf(node: Nodes | Parents): string {
  if (node.type === 'paragraph' || node.type === 'text') return ''
  if (node.type === 'heading') return `heading:${node.depth}`
  if (node.type === 'code') return `code:${node.lang ?? ''}`
  if (node.type === 'link') return `link:${node.url}`
  return node.type
}

export function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('children' in node) return node.children.map(textOf).join('')
  return ''
}

/** The code blocks with the same language that follow each other are one. */
export function codesIn(markdowns: string[]): string[] {
  const codes: string[] = []
  const collect = (node: Nodes): void => {
    if (node.type === 'code') codes.push(node.value)
    if ('children' in node) for (const child of node.children) collect(child)
  }
  for (const markdown of markdowns) collect(treeOf(markdown))
  return codes
}
