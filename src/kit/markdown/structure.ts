import type { List, Nodes, RootContent } from 'mdast'
import {
  type Container,
  type Edit,
  furtherLine,
  indented,
  itemOf,
  opening,
  openingLine,
  prefixOf,
  quoteOf,
} from './containers.ts'
import { endOf, lineOf, type Parsed, startOf } from './parse.ts'

/**
 * A place where a text may be split. The piece before it is the text up to `end` and `close`; the next one is `open`
 * and the text from `next` on, with its `edits`.
 */
export interface Cut {
  end: number
  next: number
  close: string
  open: string
  edits?: Edit[]
  /** What it splits is too large to repeat its marks: what follows is a text of its own. */
  bare?: boolean
}

/** How good a place is. */
export type Rank = 'heading' | 'block' | 'item' | 'inner' | 'orphan'

interface Boundary extends Cut {
  rank: Rank
}

/** A block that contains no blocks. */
export interface Leaf {
  node: RootContent
  chain: Container[]
}

export interface Structure {
  boundaries: Boundary[]
  leaves: Leaf[]
}

/** What is being split, and how far it has come. */
export interface Splitting {
  parsed: Parsed
  structure: Structure
  /** A piece must reach beyond this. */
  least: number
  /** A piece can't reach beyond this. */
  most: number
  /** How long a piece that starts here can be. */
  room: number
  /** Whether the piece before the cut fits, and leaves enough for the one after it. */
  fits(cut: Cut): boolean
}

/** The blocks of a text and the cuts between them, in order. */
export function structureOf(parsed: Parsed): Structure {
  const boundaries: Boundary[] = []
  const leaves: Leaf[] = []

  function children(nodes: RootContent[], chain: Container[]): void {
    let before: RootContent | undefined
    for (const node of nodes) {
      if (before) boundaries.push(betweenBlocks(parsed, before, node, chain))
      before = node
      if (node.type === 'list') items(node, chain)
      else if (node.type === 'blockquote') children(node.children, [...chain, quoteOf(node)])
      else leaves.push({ node, chain })
    }
  }

  function items(list: List, chain: Container[]): void {
    for (const [index, item] of list.children.entries()) {
      const container = itemOf(parsed, list, index, chain.length)
      if (index > 0) boundaries.push(betweenItems(parsed, list, index, chain, container))
      children(item.children, [...chain, container])
    }
  }

  children(parsed.root.children, [])
  return { boundaries, leaves }
}

/** Without blank lines and marks after the last block. */
function contentEnd(node: Nodes): number {
  const inner =
    node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote' ? node.children.at(-1) : undefined
  return inner ? contentEnd(inner) : endOf(node)
}

function betweenBlocks(parsed: Parsed, before: Nodes, node: Nodes, chain: Container[]): Boundary {
  const rank =
    before.type === 'heading' ? 'orphan' : chain.length > 0 ? 'inner' : node.type === 'heading' ? 'heading' : 'block'
  const place = { rank: rank as Rank, end: contentEnd(before), close: '' }
  if (node.type === 'paragraph') {
    const next = startOf(node)
    return { ...place, next, open: openingLine(chain), edits: indented(parsed, chain, next) }
  }
  // The source already has the marks of its line.
  const next = parsed.lines[lineOf(node)] ?? 0
  return { ...place, next, open: opening(chain), edits: indented(parsed, chain, next) }
}

function betweenItems(parsed: Parsed, list: List, index: number, outer: Container[], item: Container): Boundary {
  const [before, node] = [list.children[index - 1], list.children[index]]
  if (!before || !node) throw new Error('there is no such item')
  const prefix = prefixOf(parsed, node, outer.length)
  const written = parsed.text.slice(prefix.start, prefix.end)
  const rank: Rank = outer.length === 0 ? 'item' : 'inner'
  const place = { rank, end: contentEnd(before), close: '' }
  if (written.trim() === item.mark) {
    const next = parsed.lines[lineOf(node)] ?? 0
    return { ...place, next, open: opening(outer), edits: indented(parsed, outer, next) }
  }
  // Five spaces after a mark would be code.
  const width = written.trim() === written ? 0 : Math.min(item.width, item.indent + item.mark.length + 4)
  const mark = `${' '.repeat(item.indent)}${item.mark}`.padEnd(width)
  const open = opening(outer) + furtherLine(outer) + mark
  return { ...place, next: prefix.end, open, edits: indented(parsed, [...outer, item], prefix.end) }
}
