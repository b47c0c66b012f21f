import type { Nodes, Root } from 'mdast'
import { type Extension, fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { tamed, unmasked } from './tame.ts'

/** What a quote or list item takes of a line: its mark, or the spaces in its place. */
export interface LineMark {
  kind: 'blockQuotePrefix' | 'listItemPrefix' | 'listItemIndent'
  start: number
  end: number
}

/** Positions are offsets in `text`. */
export interface Parsed {
  text: string
  root: Root
  /** Where each line starts; the first has the number 0. */
  lines: number[]
  /** By line, from the outside to the inside. */
  marks: Map<number, LineMark[]>
}

const syntax = gfm()
// Its transforms look for links that the parser left as text, and their nodes have no position.
const toTree = gfmFromMarkdown().map(({ transforms, ...extension }): Extension => extension)

/** GitHub-flavoured Markdown as a tree. Expects `normalised` text, at most some ten thousand characters. */
export function parseMarkdown(text: string): Parsed {
  const marks = new Map<number, LineMark[]>()
  const record: NonNullable<Extension['enter']>[string] = ({ type, start, end }) => {
    if (type !== 'blockQuotePrefix' && type !== 'listItemPrefix' && type !== 'listItemIndent') return
    const line = start.line - 1
    marks.set(line, [...(marks.get(line) ?? []), { kind: type, start: start.offset, end: end.offset }])
  }
  const recorder = { enter: { blockQuotePrefix: record, listItemPrefix: record, listItemIndent: record } }
  const source = tamed(text)
  const root = fromMarkdown(source, { extensions: [syntax], mdastExtensions: [...toTree, recorder] })
  if (source !== text) unmask(root)
  return { text, root, lines: lineStarts(text), marks }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

/** Each node of a tree, a parent before its children. */
export function walk(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node)
  if ('children' in node) for (const child of node.children) walk(child, visit)
}

function unmask(root: Root): void {
  walk(root, (node) => {
    if ('value' in node) node.value = unmasked(node.value)
    if ('url' in node) node.url = unmasked(node.url)
    if ('alt' in node) node.alt = unmasked(node.alt ?? '')
    if ('title' in node) node.title = node.title == null ? node.title : unmasked(node.title)
    if (node.type === 'code') node.lang = node.lang == null ? node.lang : unmasked(node.lang)
  })
}

export const startOf = (node: Nodes): number => node.position?.start.offset ?? 0
export const endOf = (node: Nodes): number => node.position?.end.offset ?? 0
export const lineOf = (node: Nodes): number => (node.position?.start.line ?? 1) - 1
export const lastLineOf = (node: Nodes): number => (node.position?.end.line ?? 1) - 1
export const sourceOf = ({ text }: Parsed, node: Nodes): string => text.slice(startOf(node), endOf(node))

/** Where a line's own text starts within this many quotes and list items. */
export function contentStart({ lines, marks }: Parsed, line: number, depth: number): number {
  const own = marks.get(line)?.slice(0, depth) ?? []
  return own.at(-1)?.end ?? lines[line] ?? 0
}

/** Without the line's end. */
export const lineEnd = ({ lines, text }: Parsed, line: number): number => (lines[line + 1] ?? text.length + 1) - 1
