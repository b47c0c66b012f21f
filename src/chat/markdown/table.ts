import type { AlignType, Nodes, Table } from 'mdast'
import { endOf, type Parsed, startOf } from './parse.ts'
import { cellsOf } from './width.ts'

/** What a node says, without its marks. */
export function plainText(node: Nodes): string {
  if (node.type === 'break') return ' '
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(plainText).join('') : ''
}

const widthOf = (table: Table): number => Math.max(...table.children.map(({ children }) => children.length))

/** What each cell says, as text on one line; every row has as many cells. */
export function textCells(table: Table): string[][] {
  const columns = widthOf(table)
  return table.children.map(({ children }) =>
    Array.from({ length: columns }, (_, index) => {
      const cell = children[index]
      return cell ? plainText(cell).replace(/\s+/g, ' ').trim() : ''
    }),
  )
}

/** The Markdown of each cell, without the backslashes that keep a bar from parting cells. */
export function markdownCells({ text }: Parsed, table: Table): string[][] {
  const columns = widthOf(table)
  return table.children.map((row) =>
    Array.from({ length: columns }, (_, index) => {
      const inner = row.children[index]?.children ?? []
      const [first, last] = [inner[0], inner.at(-1)]
      return first && last ? text.slice(startOf(first), endOf(last)).replaceAll('\\|', '|') : ''
    }),
  )
}

/** A table as lines of equally wide characters. */
export function alignedRows(rows: string[][], align: readonly AlignType[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(3, ...rows.map((row) => cellsOf(row[index] ?? ''))))
  const line = (row: string[]) =>
    row.map((cell, index) => padded(cell, widths[index] ?? 0, align[index] ?? null)).join(' | ').trimEnd()
  const [head = [], ...others] = rows
  return [line(head), widths.map((width) => '-'.repeat(width)).join('-|-'), ...others.map(line)]
}

function padded(text: string, width: number, align: AlignType): string {
  const room = Math.max(0, width - cellsOf(text))
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(room - before)
}

/** A fence around lines of text that none of them closes. */
export function fenced(lines: string[], info = ''): string[] {
  const longest = Math.max(2, ...lines.map((line) => /`+/.exec(line)?.[0].length ?? 0))
  const mark = '`'.repeat(lines.some((line) => line.includes('```')) ? longest + 1 : 3)
  return [`${mark}${info}`, ...lines, mark]
}
