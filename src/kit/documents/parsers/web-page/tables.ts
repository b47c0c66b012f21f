import { markdownTable, type TableCell } from '../docx/tables.ts'

/** The parts of an element that matter for Markdown. */
export interface Element {
  localName: string
  parentNode: Element | null
  children: Iterable<Element>
  getAttribute(name: string): string | null
}

/** How many places cells of all tables may span: it costs a page nothing. */
const maxCovered = 50_000

/** The attribute of the first row of a part: its head, a body. */
export const partMark = 'data-part'

interface Table {
  /** Rows by part: no cell spans rows of two. */
  parts: Element[][]
  last: Element | undefined
}

/** The tables of a page, from the Markdown of their cells. */
export class Tables {
  readonly #texts = new Map<Element, string>()
  readonly #tables = new Map<Element, Table>()
  #covered = 0

  /** Only cells without a row are written at once. */
  cell(content: string, cell: Element): string {
    const text = content.replace(/\s+/g, ' ').trim()
    if (cell.parentNode === null || !isRow(cell.parentNode)) return `| ${text.replaceAll('|', '\\|')} `
    this.#texts.set(cell, text)
    return ''
  }

  /** What stands in a row outside of its cells. The last row is followed by the whole table. */
  row(content: string, row: Element): string {
    const { parts, last } = this.#tableOf(row)
    if (row !== last) return content
    return `${content}\n\n${markdownTable(parts.flatMap((rows) => this.#cellsOf(rows)))}\n\n`
  }

  /** A main part that was found within a table has no element of a table around its rows. */
  #tableOf(row: Element): Table {
    const element = row.parentNode ?? row
    const known = this.#tables.get(element)
    if (known !== undefined) return known
    const rows = [...element.children].filter(isRow)
    const parts: Element[][] = []
    for (const one of rows) {
      if (parts.length === 0 || one.getAttribute(partMark) !== null) parts.push([])
      parts.at(-1)?.push(one)
    }
    const table = { parts, last: rows.findLast((row) => cellsIn(row).length > 0) }
    this.#tables.set(element, table)
    return table
  }

  #cellsOf(rows: readonly Element[]): TableCell[][] {
    let covered = 0
    return rows.flatMap((row, at) => {
      const cells = cellsIn(row).map((cell, column, { length }): TableCell => {
        const down = Math.min(spanOf(cell, 'rowspan', rows.length), rows.length - at)
        covered = Math.max(covered, at + down)
        // Pages write a large number for all the columns that are left.
        const across = column === length - 1 ? 1 : spanOf(cell, 'colspan', 1)
        return { text: this.#texts.get(cell) ?? '', ...this.#spans(across, down) }
      })
      return cells.length > 0 || at < covered ? [cells] : []
    })
  }

  #spans(columns: number, rows: number): { columns: number; rows: number } {
    const covered = columns * rows - 1
    if (this.#covered + covered > maxCovered) return { columns: 1, rows: 1 }
    this.#covered += covered
    return { columns, rows }
  }
}

const isRow = ({ localName }: Element): boolean => localName === 'tr'

const cellsIn = (row: Element): Element[] =>
  [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th')

/** `ofZero`: what 0 means. */
function spanOf(cell: Element, name: 'colspan' | 'rowspan', ofZero: number): number {
  const written = cell.getAttribute(name) ?? ''
  return /^\d{1,5}$/.test(written) ? Number(written) || ofZero : 1
}
