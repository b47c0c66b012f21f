import { markdownTable, type TableCell } from '../docx/tables.ts'
import { Lines } from './lines.ts'

/** Cells with more text aren't data: the table only arranges its content. */
const cellCharacters = 300

/** A table that is being read. Most tables in messages only place things side by side; only data becomes a table. */
export class OpenTable {
  readonly #outer: Lines
  readonly #rows: { cells: TableCell[]; lines: string[][] }[] = []
  #cell: { lines: Lines; columns: number; rows: number } | undefined
  #isRowOpen = false
  #isLayout: boolean

  constructor(outer: Lines, isLayout: boolean) {
    this.#outer = outer
    this.#isLayout = isLayout
  }

  /** Where text goes now. */
  get lines(): Lines {
    return this.#cell?.lines ?? this.#outer
  }

  isOfLayout(): void {
    this.#isLayout = true
  }

  row(): void {
    this.endRow()
    this.#rows.push({ cells: [], lines: [] })
    this.#isRowOpen = true
  }

  endRow(): void {
    this.endCell()
    this.#isRowOpen = false
  }

  cell(columns: number, rows: number): void {
    this.endCell()
    if (!this.#isRowOpen) this.row()
    this.#cell = { lines: new Lines(), columns: Math.max(1, columns), rows: Math.max(1, rows) }
  }

  endCell(): void {
    if (this.#cell === undefined) return
    const { columns, rows } = this.#cell
    const lines = this.#cell.lines.end()
    this.#rows.at(-1)?.cells.push({ text: lines.join('\n'), columns, rows })
    this.#rows.at(-1)?.lines.push(lines)
    this.#cell = undefined
  }

  /** Writes itself to the text around it. */
  end(): void {
    this.endRow()
    this.#outer.gap()
    if (this.#isData()) this.#outer.add(markdownTable(this.#rows.map(({ cells }) => cells)).split('\n'))
    else for (const { lines } of this.#rows) this.#place(lines.filter(({ length }) => length > 0))
    this.#outer.gap()
  }

  #isData(): boolean {
    const texts = this.#rows.flatMap(({ cells }) => cells.map(({ text }) => text))
    const wide = this.#rows.filter(({ cells }) => cells.filter(({ text }) => text !== '').length > 1)
    const letters = texts.reduce((sum, { length }) => sum + length, 0)
    return !this.#isLayout && wide.length > 1 && letters <= cellCharacters * texts.length
  }

  /** Short cells of a row stay on one line. */
  #place(cells: string[][]): void {
    const isLine = cells.every((lines) => lines.length === 1 && (lines[0]?.length ?? 0) <= cellCharacters)
    const isHeading = cells[0]?.[0]?.startsWith('#') === true
    if (isLine && !isHeading) this.#outer.add(cells.length === 0 ? [] : [cells.flat().join(' | ')])
    else {
      for (const lines of cells) {
        this.#outer.add(lines)
        this.#outer.gap()
      }
    }
  }
}
