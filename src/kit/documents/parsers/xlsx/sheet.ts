import { Cells, cellOf, columnLetters, inCell, maxColumns, maxRows, type TableLines } from '../../cells.ts'
import { type Attributes, scanXmlPieces, type XmlListener } from '../../scan-xml.ts'
import { struck } from '../text/marks.ts'
import { moved } from './formulas.ts'
import { placeOf, withAddress } from './links.ts'
import type { Styles } from './styles.ts'
import { CellText, oneLine, type Shown, unescaped } from './workbook.ts'

export interface SheetContext {
  strings: Shown[]
  styles: Styles
  /** Addresses behind cells, by `placeOf`. */
  links?: ReadonlyMap<number, string>
  /** The most characters of the sheet, table and formulas together. */
  room: number
  /** With more characters, only an outline of its cells is kept; see `Cells`. */
  keep?: number
}

type Pieces = AsyncIterable<Uint8Array>

/** What one sheet holds. */
export interface Sheet {
  cells: Cells
  formulas: string[]
  /** Cells whose formula has no stored result; they show the formula itself. */
  uncalculated: number
  hiddenRows: number[]
  /** As letters: `C` or `C:E`. */
  hiddenColumns: string[]
  merged: string[]
  /** False if its XML ends too early. */
  isWhole: boolean
}

export async function readSheet(pieces: Pieces, context: SheetContext): Promise<Sheet> {
  const cells = new Cells(context.room, context.keep)
  const reading = new Reading(context, cells)
  const isWhole = await scanXmlPieces(pieces, reading)
  return { ...reading.sheet, cells, isWhole: isWhole && (reading.isClosed || cells.isFull) }
}

/** Reads a sheet once more, of which only an outline was kept, and writes its rows. `between`: awaited now and then. */
export async function readRows(
  pieces: Pieces,
  context: SheetContext,
  { cells }: Sheet,
  lines: TableLines,
  between: () => Promise<void>,
): Promise<void> {
  const rows = new Rows(lines, cells.count)
  await scanXmlPieces(pieces, new Reading({ ...context, room: 0 }, rows), between)
  rows.end()
}

/** Takes cells in order. */
class Rows {
  readonly #lines: TableLines
  #left: number
  #row = 0
  #cells: string[] = []

  /** `count`: how many there is room for. */
  constructor(lines: TableLines, count: number) {
    this.#lines = lines
    this.#left = count
  }

  add(row: number, column: number, text: string): boolean {
    const shown = inCell(text)
    if (shown === '') return true
    if (this.#left-- <= 0) return false
    if (row !== this.#row) this.end()
    this.#row = row
    this.#lines.put(this.#cells, column, shown)
    return true
  }

  end(): void {
    if (this.#cells.length > 0) this.#lines.add(this.#row, this.#cells)
    this.#cells = []
  }
}

interface Cell {
  row: number
  column: number
  type: string
  style: number
  value: string
  formula?: string
}

interface Shared {
  formula: string
  from: Cell
}

const maxMerged = 20

class Reading implements XmlListener {
  readonly sheet: Omit<Sheet, 'cells' | 'isWhole'>
  isClosed = false
  readonly #cells: Pick<Cells, 'add'>
  readonly #context: SheetContext
  readonly #shared = new Map<number, Shared>()
  readonly #inline = new CellText()
  #formulaRoom: number
  #row = 0
  #column = 0
  #cell: Cell | undefined
  #element = ''
  #sharedIndex: number | undefined
  #isInFormula = false

  constructor(context: SheetContext, cells: Pick<Cells, 'add'>) {
    this.#context = context
    this.#cells = cells
    this.#formulaRoom = context.room / 2
    this.sheet = { formulas: [], uncalculated: 0, hiddenRows: [], hiddenColumns: [], merged: [] }
  }

  open(name: string, attributes: Attributes): void {
    this.#element = name
    if (name === 'c') this.#openCell(attributes)
    else if (this.#cell !== undefined) {
      if (name === 'f') this.#openFormula(attributes)
      else this.#inline.open(name, attributes)
    } else if (name === 'row') {
      this.#row = attributes.number('r') ?? this.#row + 1
      this.#column = 0
      if (attributes.flag('hidden')) this.sheet.hiddenRows.push(this.#row)
    } else if (name === 'col' && attributes.flag('hidden')) this.#hideColumns(attributes)
    else if (name === 'mergeCell' && this.sheet.merged.length <= maxMerged) {
      this.sheet.merged.push(attributes.get('ref') ?? '')
    }
  }

  text(text: string): void {
    if (this.#cell === undefined) return
    if (this.#element === 'v') this.#cell.value += text
    else if (this.#isInFormula) this.#cell.formula = (this.#cell.formula ?? '') + text
    else this.#inline.add(text)
  }

  close(name: string): boolean | undefined {
    this.#element = ''
    if (name === 'worksheet') this.isClosed = true
    if (this.#cell === undefined) return true
    if (name === 'f') this.#isInFormula = false
    if (name !== 'c') {
      this.#inline.close(name)
      return true
    }
    const cell = this.#cell
    this.#cell = undefined
    return this.#take(cell)
  }

  #openCell(attributes: Attributes): void {
    const place = cellOf(attributes.get('r') ?? '')
    this.#column = place?.column ?? this.#column + 1
    this.#cell = {
      row: place?.row ?? this.#row,
      column: this.#column,
      type: attributes.get('t') ?? 'n',
      style: attributes.number('s') ?? 0,
      value: '',
    }
  }

  #openFormula(attributes: Attributes): void {
    this.#isInFormula = true
    const type = attributes.get('t')
    this.#sharedIndex = type === 'shared' ? attributes.number('si') : undefined
    if (type === 'dataTable' && this.#cell !== undefined) this.#cell.formula = 'TABLE()'
  }

  #hideColumns(attributes: Attributes): void {
    const first = attributes.number('min') ?? 1
    const last = Math.min(attributes.number('max') ?? first, maxColumns)
    if (first > last) return
    this.sheet.hiddenColumns.push(
      first === last ? columnLetters(first) : `${columnLetters(first)}:${columnLetters(last)}`,
    )
  }

  /** False if there is no more room. */
  #take(cell: Cell): boolean {
    const inline = this.#inline.takeOfCell()
    const formula = this.#formulaOf(cell)
    this.#sharedIndex = undefined
    if (cell.row < 1 || cell.row > maxRows || cell.column > maxColumns) return true
    const shown = this.#linked(cell, this.#struck(cell, this.#shown(cell, inline)))
    const isUncalculated = formula !== undefined && shown === '' && cell.type !== 'str'
    if (isUncalculated) this.sheet.uncalculated++
    if (formula !== undefined) this.#keep(cell, formula)
    return this.#cells.add(cell.row, cell.column, isUncalculated ? `=${formula}` : shown)
  }

  #struck({ style }: Cell, shown: Shown): string {
    const isStruck = this.#context.styles.isStruck(style)
    if (typeof shown !== 'string') return isStruck ? shown.inStruck : shown.text
    return isStruck ? struck(shown) : shown
  }

  #linked(cell: Cell, shown: string): string {
    const address = this.#context.links?.get(placeOf(cell))
    return address === undefined ? shown : withAddress(shown, address)
  }

  #formulaOf(cell: Cell): string | undefined {
    const index = this.#sharedIndex
    const formula = cell.formula === undefined ? undefined : unescaped(cell.formula.trim())
    if (index === undefined) return formula || undefined
    if (formula) {
      this.#shared.set(index, { formula, from: cell })
      return formula
    }
    const shared = this.#shared.get(index)
    return shared && moved(shared.formula, shared.from, cell)
  }

  #keep({ row, column }: Cell, formula: string): void {
    if (this.#formulaRoom <= 0) return
    const line = `${columnLetters(column)}${row}: =${oneLine(formula)}`
    this.#formulaRoom -= line.length + 1
    this.sheet.formulas.push(line)
  }

  #shown({ type, value, style }: Cell, inline: Shown): Shown {
    if (type === 's') return this.#context.strings[Number(value)] ?? ''
    if (type === 'inlineStr') return inline || unescaped(value)
    if (type === 'str') return unescaped(value) || inline
    if (type === 'b')
      return value.trim() === '' ? '' : value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE'
    if (type === 'e') return value
    // An ISO date, without its time if that is midnight.
    if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' ')
    const number = Number(value)
    return value.trim() === '' || !Number.isFinite(number) ? value : this.#context.styles.showOf(style)(number)
  }
}
