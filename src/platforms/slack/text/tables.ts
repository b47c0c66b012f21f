import type { RichTextElement, TableBlock } from '@slack/types'
import type { Nodes, Table, TableCell } from 'mdast'
import { leadsTo } from '../../../kit/markdown/leads-to.ts'
import { isBreak, rowsOf, wordsIn } from '../../../kit/markdown/tables.ts'
import { sizeOf } from './size.ts'
import { withoutPings } from './without-pings.ts'

/** Slack's own limits; the header is a row too. */
const mostRows = 100
const mostColumns = 20

type Cell = TableBlock['rows'][number][number]
type Style = NonNullable<Extract<RichTextElement, { type: 'text' }>['style']>

/**
 * A table as Slack's own, in as many blocks as it takes, each with the header and up to this many bytes. Undefined
 * if it has too many columns, or a row that is too long by itself.
 */
export function tableBlocks(table: Table, mostText: number): TableBlock[] | undefined {
  const [head = [], ...rows] = rowsOf(table).map((row) => row.map(cellOf))
  if (head.length > mostColumns) return undefined
  const room = mostText - sizeOfCells(head)
  const groups: Cell[][][] = [[]]
  let left = room
  for (const row of rows) {
    const size = sizeOfCells(row)
    if (size > room) return undefined
    if (size > left || groups.at(-1)?.length === mostRows - 1) {
      groups.push([])
      left = room
    }
    groups.at(-1)?.push(row)
    left -= size
  }
  if (room < 0) return undefined
  const column_settings = head.map((_, column) => ({ align: table.align?.[column] ?? 'left', is_wrapped: true }))
  return groups.map((group) => ({ type: 'table', column_settings, rows: [head, ...group] }))
}

/** The bytes of a table's text. */
export const sizeOfTable = ({ rows }: TableBlock): number => rows.reduce((sum, row) => sum + sizeOfCells(row), 0)

const sizeOfCells = (row: Cell[]): number => row.reduce((sum, cell) => sum + cellSize(cell), 0)

function cellSize(cell: Cell): number {
  if (cell.type !== 'rich_text') return sizeOf(cell.text ?? '')
  const elements = cell.elements.flatMap((section) => section.elements as RichTextElement[])
  return elements.reduce((sum, element) => sum + elementSize(element), 0)
}

const elementSize = (element: RichTextElement): number =>
  sizeOf('text' in element ? (element.text ?? '') : '') + sizeOf('url' in element ? (element.url ?? '') : '')

/** Slack accepts no empty texts. */
const emptyCell: Cell = { type: 'raw_text', text: ' ' }

function cellOf(cell: TableCell | undefined): Cell {
  const elements = cell ? trimmed(merged(cell.children.flatMap((node) => elementsOf(node, {})))) : []
  const [first] = elements
  if (first === undefined) return emptyCell
  if (elements.length === 1 && first.type === 'text' && first.style === undefined) {
    return { type: 'raw_text', text: first.text }
  }
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
}

const textOf = (words: string, style: Style): RichTextElement[] => {
  const text = withoutPings(words)
  if (text === '') return []
  return [{ type: 'text', text, ...(Object.keys(style).length === 0 ? {} : { style }) }]
}

function elementsOf(node: Nodes, style: Style): RichTextElement[] {
  if (isBreak(node) || node.type === 'break') return textOf('\n', style)
  if (node.type === 'inlineCode') return textOf(node.value, { ...style, code: true })
  if (node.type === 'link') return linkOf(node.url, node.children.map(wordsIn).join(''), style)
  if (node.type === 'image') return linkOf(node.url, node.alt || 'image', style)
  if (!('children' in node)) return textOf(wordsIn(node), style)
  return (node.children as Nodes[]).flatMap((child) => elementsOf(child, { ...style, ...styleOf(node) }))
}

function styleOf({ type }: Nodes): Style {
  if (type === 'strong') return { bold: true }
  if (type === 'emphasis') return { italic: true }
  return type === 'delete' ? { strike: true } : {}
}

function linkOf(url: string, words: string, style: Style): RichTextElement[] {
  // Slack refuses links that lead nowhere by themselves.
  if (!/^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(url)) return textOf(words || url, style)
  const text = withoutPings(words)
  const styled = Object.keys(style).length === 0 ? {} : { style }
  const link = { type: 'link' as const, url: withoutPings(url), ...(text === '' ? {} : { text }), ...styled }
  return [link, ...textOf(leadsTo(words, url), {})]
}

/** Consecutive texts of the same style become one. */
function merged(elements: RichTextElement[]): RichTextElement[] {
  const all: RichTextElement[] = []
  for (const element of elements) {
    const last = all.at(-1)
    if (
      last?.type === 'text' &&
      element.type === 'text' &&
      JSON.stringify(last.style) === JSON.stringify(element.style)
    ) {
      all[all.length - 1] = { ...last, text: withoutPings(last.text + element.text) }
    } else all.push(element)
  }
  return all
}

/** A cell with nothing but spaces is empty. */
const trimmed = (elements: RichTextElement[]): RichTextElement[] =>
  elements.every((element) => element.type === 'text' && element.text.trim() === '') ? [] : elements
