import type { Nodes, Table, TableCell } from 'mdast'
import { withoutReferences } from './images.ts'
import type { NodePlace } from './rewrite.ts'
import { widthOf } from './width.ts'

/**
 * A table for platforms that have none: aligned in a code block, or, if that is wider than this many columns, as a
 * list.
 */
export function tableText(table: Table, place: NodePlace, mostColumns: number): string[] {
  const rows = rowsOf(withoutReferences(place.parsed.root, table)).map((cells) =>
    cells.map((cell) => (cell ? wordsIn(cell) : '')),
  )
  const columns = columnsOf(table)
  const widths = columns.map((column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 3))
  if (widths.reduce((sum, width) => sum + width + 2, -2) > mostColumns) return listOf(table, place)
  const lines = rows.map((row) =>
    columns.map((column) => padded(row[column] ?? '', widths[column] ?? 0, table.align?.[column])).join('  '),
  )
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  const [head = '', ...others] = lines.map((line) => line.trimEnd().replaceAll('```', '`\u200B``'))
  return ['```', head, rule, ...others, '```']
}

/** The cells of a table, each row as long as its header. */
export const rowsOf = (table: Table): (TableCell | undefined)[][] =>
  table.children.map(({ children }) => columnsOf(table).map((column) => children[column]))

const columnsOf = ({ children }: Table): number[] => [...(children[0]?.children.keys() ?? [])]

function padded(text: string, width: number, align: 'left' | 'center' | 'right' | null | undefined): string {
  const left = width - widthOf(text)
  if (align === 'right') return ' '.repeat(left) + text
  const before = align === 'center' ? Math.floor(left / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(left - before)
}

/** An item for each row: its first cell, and below it the others, each with its column's name. */
function listOf(table: Table, place: NodePlace): string[] {
  const [head = [], ...rows] = rowsOf(table)
  const heads = head.map((cell) => (cell ? wordsIn(cell) : ''))
  const named = (cell: TableCell | undefined, column: number): string => {
    const source = cell ? cellSource(cell, place) : ''
    const name = (heads[column] ?? '').replace(/[\\*_~`|[\]<]/g, '\\$&')
    return name === '' || source === '' ? source || `**${name}**` : `**${name}**: ${source}`
  }
  if (rows.length === 0) return [`- ${head.map((cell) => (cell ? cellSource(cell, place) : '')).join(' · ')}`]
  return rows.flatMap((row) => {
    const cells = row.map(named).filter((_, column) => row[column]?.children.length)
    return cells.map((cell, place) => (place === 0 ? `- ${cell}` : `  - ${cell}`))
  })
}

const cellSource = (cell: TableCell, place: NodePlace): string =>
  cell.children
    .map((node) => (isBreak(node) ? ' ' : place.source(node)))
    .join('')
    .replaceAll('\\|', '|')
    .trim()

/** A line break in a cell, which can only be written as HTML. */
export const isBreak = (node: Nodes): boolean => node.type === 'html' && /^<br\s*\/?>$/i.test(node.value)

/** What a cell says, without marks. */
export function wordsIn(node: Nodes): string {
  if (isBreak(node) || node.type === 'break') return ' '
  if (node.type === 'image') return node.alt || node.url
  if (node.type === 'imageReference') return node.alt || 'image'
  if ('value' in node) return node.value.replace(/\s+/g, ' ')
  const words = 'children' in node ? (node.children as Nodes[]).map(wordsIn).join('') : ''
  if (node.type !== 'link' || node.url.endsWith(words)) return words
  return `${words} (${node.url})`
}
