import type { Node, TableNode } from '../docx/model.ts'
import type { Sprm } from './properties.ts'
import type { ParagraphFormat } from './styles.ts'

type RowNode = TableNode['children'][number]

interface Row {
  cells: Node[][]
  /** Where its cells begin and end, from left to right, in twentieths of a point. */
  edges: number[]
  /** Which cells continue the one to their left, or above. */
  goesOn: Set<number>
  hangs: Set<number>
}

/** A table that is being read. */
interface Open {
  rows: Row[]
  cells: Node[][]
  current: Node[]
}

/** How deeply tables may be nested; deeper ones share the last level. */
const deepest = 10
/** Edges closer than this count as one. A millimetre is 57 of these units. */
const slack = 20
const maxCells = 1000

/** What ends with a paragraph. */
export type End = 'cell' | 'row' | undefined

/** Puts paragraphs into the cells of tables, as they come. */
export class Body {
  readonly #nodes: Node[] = []
  readonly #open: Open[] = []

  add(nodes: readonly Node[], format: ParagraphFormat, end: End): void {
    const depth = format.isInTable ? Math.min(deepest, Math.max(1, format.depth ?? 1)) : 0
    this.#goTo(depth)
    const table = this.#open.at(-1)
    const target = table?.current ?? this.#nodes
    if (end !== 'row') for (const node of nodes) target.push(node)
    if (table === undefined || end === undefined) return
    if (end === 'cell') {
      if (table.cells.length < maxCells) table.cells.push(table.current)
      table.current = []
    } else {
      table.rows.push(rowOf(table.cells, format.row ?? []))
      table.cells = []
    }
  }

  end(): Node[] {
    this.#goTo(0)
    return this.#nodes
  }

  #goTo(depth: number): void {
    while (this.#open.length < depth) this.#open.push({ rows: [], cells: [], current: [] })
    while (this.#open.length > depth) {
      const table = this.#open.pop()
      if (table === undefined) return
      // The row has no end, so the document is damaged or cut off.
      if (table.current.length > 0) table.cells.push(table.current)
      if (table.cells.length > 0) table.rows.push(rowOf(table.cells, []))
      const target = this.#open.at(-1)?.current ?? this.#nodes
      if (table.rows.length > 0) target.push(tableOf(table.rows))
    }
  }
}

const define = 0xd608
const merge = 0x5624
const mergeDown = 0xd62b
const cellBytes = 20

function rowOf(cells: Node[][], sprms: readonly Sprm[]): Row {
  const row: Row = { cells, edges: [], goesOn: new Set(), hangs: new Set() }
  for (const { code, operand } of sprms) {
    if (code === define) defined(row, operand)
    else if (code === merge)
      for (let cell = (operand[0] ?? 0) + 1; cell < (operand[1] ?? 0); cell++) row.goesOn.add(cell)
    else if (code === mergeDown) {
      if (operand[1] === 1) row.hangs.add(operand[0] ?? 0)
      else row.hangs.delete(operand[0] ?? 0)
    }
  }
  return row
}

/** The number of cells, their edges, and flags of each. */
function defined(row: Row, operand: Buffer): void {
  const count = operand[0] ?? 0
  const cellsAt = 1 + (count + 1) * 2
  if (operand.length < cellsAt) return
  row.edges = Array.from({ length: count + 1 }, (_, index) => operand.readInt16LE(1 + index * 2))
  for (let cell = 0; cell < count && cellsAt + cell * cellBytes + 2 <= operand.length; cell++) {
    const flags = operand.readUInt16LE(cellsAt + cell * cellBytes)
    if ((flags & 2) !== 0) row.goesOn.add(cell)
    if ((flags & 0x60) === 0x20) row.hangs.add(cell)
  }
}

/** Columns are where any row has an edge. */
function tableOf(rows: readonly Row[]): Node {
  const columns = columnsOf(rows)
  const hanging = new Map<number, RowNode['children'][number]>()
  const children = rows.map((row): RowNode => {
    const cells: RowNode['children'] = []
    let column = 0
    for (const [index, content] of row.cells.entries()) {
      const span = spanOf(row, index, columns)
      const above = row.hangs.has(index) ? hanging.get(column) : undefined
      const left = row.goesOn.has(index) ? cells.at(-1) : undefined
      if (left !== undefined) left.colSpan += span
      else if (above !== undefined) above.rowSpan++
      else {
        const cell = { type: 'tableCell' as const, children: content, colSpan: span, rowSpan: 1 }
        cells.push(cell)
        hanging.set(column, cell)
      }
      column += span
    }
    return { type: 'tableRow', children: cells }
  })
  return { type: 'table', children }
}

function columnsOf(rows: readonly Row[]): number[] {
  const all = [...new Set(rows.flatMap(({ edges }) => edges))].sort((a, b) => a - b)
  const columns: number[] = []
  for (const edge of all) if (edge - (columns.at(-1) ?? Number.NEGATIVE_INFINITY) > slack) columns.push(edge)
  return columns
}

function spanOf({ edges }: Row, cell: number, columns: readonly number[]): number {
  const [left, right] = [edges[cell], edges[cell + 1]]
  if (left === undefined || right === undefined) return 1
  return Math.max(1, placeOf(columns, right) - placeOf(columns, left))
}

/** Which column begins there. */
function placeOf(columns: readonly number[], edge: number): number {
  const next = columns.findIndex((column) => column > edge)
  return (next < 0 ? columns.length : next) - 1
}
