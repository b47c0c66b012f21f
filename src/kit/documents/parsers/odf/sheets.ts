import { Cells, columnLetters, maxColumns } from '../../cells.ts'
import type { DocumentPart } from '../../document.ts'
import { allOf, descendants, elementsOf, textOf, within, type XmlElement } from '../../xml.ts'
import { struck } from '../text/marks.ts'
import { hiddenLines } from '../xlsx/describe.ts'
import { linesOfChart } from '../xlsx/drawings.ts'
import { authorOf, odfInline } from './inline.ts'
import { linesOf } from './lines.ts'
import { timesOf } from './names.ts'
import { type Objects, objectIn } from './objects.ts'
import { cellsOf, columnsOf, isCollapsed } from './rows.ts'
import { type OdfStyles, odfStylesOf } from './styles.ts'

/** Equal rows and cells with a value are stored once with a count. Some are meant, a million isn't. */
const maxRepeats = 1000

/** A shape, and the cell that it begins over. */
interface Drawn {
  shape: XmlElement
  at: string
}

/** Of one sheet. */
const mostDrawn = 500

interface Sheet {
  table: XmlElement
  cells: Cells
  formulas: string[]
  comments: string[]
  drawn: Drawn[]
  hiddenRows: number[]
  /** Those whose cells are struck out unless they have a style of their own. */
  struckColumns: ReadonlySet<number>
  row: number
}

/** Receives the rows of a spreadsheet as they are read, so that they don't have to be kept. */
export class SheetReader {
  readonly #sheets: Sheet[] = []
  #room: number
  #isCut = false
  /** Those that the file defines before its first row. */
  #styles: OdfStyles | undefined

  /** `room`: characters of all sheets together. */
  constructor(room: number) {
    this.#room = room
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** True if it was taken: a row of a sheet. Rows of tables inside of cells stay there. */
  take(element: XmlElement, around: readonly XmlElement[]): boolean {
    if (element.name !== 'table:table-row' || around[2]?.name !== 'office:spreadsheet') return false
    const table = around[3]
    if (table === undefined || around.findLast(({ name }) => name === 'table:table') !== table) return false
    this.#styles ??= odfStylesOf([around[0]])
    this.#row(this.#sheetOf(table, this.#styles), element, this.#styles)
    return true
  }

  #sheetOf(table: XmlElement, styles: OdfStyles): Sheet {
    const last = this.#sheets.at(-1)
    if (last?.table === table) return last
    const sheet: Sheet = {
      table,
      cells: new Cells(this.#room),
      formulas: [],
      comments: [],
      drawn: [],
      hiddenRows: [],
      struckColumns: struckColumns(table, styles),
      row: 0,
    }
    this.#sheets.push(sheet)
    return sheet
  }

  #row(sheet: Sheet, row: XmlElement, styles: OdfStyles): void {
    const times = timesOf(row.attributes.get('table:number-rows-repeated'))
    const values = this.#valuesOf(sheet, row, styles)
    const shown = values.length === 0 ? 0 : Math.min(times, maxRepeats)
    if (values.length > 0 && shown < times) this.#isCut = true
    const isHidden = isCollapsed(row)
    for (let time = 1; time <= shown; time++) {
      if (isHidden) sheet.hiddenRows.push(sheet.row + time)
      for (const { column, text } of values) {
        const before = sheet.cells.room
        if (!sheet.cells.add(sheet.row + time, column, text)) this.#isCut = true
        this.#room -= before - sheet.cells.room
      }
    }
    sheet.row += times
  }

  #valuesOf(sheet: Sheet, row: XmlElement, styles: OdfStyles): { column: number; text: string }[] {
    const values: { column: number; text: string }[] = []
    const rowStyle = row.attributes.get('table:default-cell-style-name')
    let column = 1
    for (const cell of cellsOf(row)) {
      const times = timesOf(cell.attributes.get('table:number-columns-repeated'))
      const name = `${columnLetters(column)}${sheet.row + 1}`
      this.#remember(sheet.formulas, formulaOf(cell), name)
      for (const shape of elementsOf(cell))
        if (shape.name.startsWith('draw:') && sheet.drawn.length < mostDrawn)
          sheet.drawn.push({ shape, at: ` at ${name}` })
      for (const annotation of allOf(cell, 'office:annotation'))
        this.#remember(sheet.comments, remarkOf(annotation), name)
      const style = cell.attributes.get('table:style-name') ?? rowStyle
      const isStruck = style === undefined ? sheet.struckColumns.has(column) : styles.text.get(style)?.isStruck === true
      const text = valueIn(cell, styles, isStruck)
      if (text !== '' && times > maxRepeats) this.#isCut = true
      if (text !== '')
        for (let time = 0; time < Math.min(times, maxRepeats); time++) values.push({ column: column + time, text })
      column += times
    }
    return values
  }

  #remember(lines: string[], text: string, cell: string): void {
    if (text === '') return
    const line = `${cell}: ${text}`
    if (line.length > this.#room) this.#isCut = true
    else lines.push(line)
    this.#room -= line.length
  }

  /** Where charts and formulas on the sheets are to be found. */
  *references(): Generator<XmlElement> {
    for (const { shape } of this.#sheets.flatMap(drawnOn)) yield* descendants(shape, 'draw:object')
  }

  /** The sheets as parts, and what there is to know about each. */
  finish(styles: OdfStyles, objects: Objects): { part: DocumentPart; note: string }[] {
    return this.#sheets.map((sheet, index) => {
      const { table, cells, formulas, comments } = sheet
      const drawings = drawnOn(sheet).flatMap((drawn) => drawnTexts(drawn, objects))
      const name = table.attributes.get('table:name') ?? `Sheet${index + 1}`
      const lines = comments.map((line) => `- ${line}`)
      const text = [
        cells.toMarkdown(Number.POSITIVE_INFINITY),
        ...drawings,
        lines.length > 0 ? ['Comments:', ...lines].join('\n') : '',
      ]
      const part: DocumentPart = { unit: 'sheet', number: index + 1, name, text: text.filter(Boolean).join('\n\n') }
      if (formulas.length > 0) part.formulas = formulas.join('\n')
      const isHidden = styles.text.get(table.attributes.get('table:style-name') ?? '')?.isUnseen === true
      if (isHidden) part.isHidden = true
      const about = describe(name, isHidden, cells, drawings.length > 0)
      return { part, note: [about, ...hiddenLines(sheet.hiddenRows, hiddenColumns(sheet))].filter(Boolean).join(' ') }
    })
  }
}

/** Those that lie over cells, and those that only have a place. */
const drawnOn = ({ table, drawn }: Sheet): Drawn[] => [
  ...drawn,
  ...elementsOf(within(table, 'table:shapes'))
    .slice(0, mostDrawn)
    .map((shape) => ({ shape, at: '' })),
]

function drawnTexts({ shape, at }: Drawn, objects: Objects): string[] {
  if (shape.name === 'draw:g') return elementsOf(shape).flatMap((inner) => drawnTexts({ shape: inner, at }, objects))
  const object = objectIn(shape, objects)
  if (object !== undefined)
    return ['chart' in object ? linesOfChart(object.chart, at) : `Formula${at}: ${object.formula}`]
  const lines = linesOf(shape)
  return lines.length === 0 ? [] : [`Text box${at}: ${lines.join('\n')}`]
}

function struckColumns(table: XmlElement, styles: OdfStyles): ReadonlySet<number> {
  const found = new Set<number>()
  let first = 1
  for (const { attributes } of columnsOf(table)) {
    const next = first + timesOf(attributes.get('table:number-columns-repeated'))
    const isStruck = styles.text.get(attributes.get('table:default-cell-style-name') ?? '')?.isStruck === true
    for (let column = first; isStruck && column < next && column <= maxColumns; column++) found.add(column)
    first = next
  }
  return found
}

function hiddenColumns({ table, cells }: Sheet): string[] {
  const hidden: string[] = []
  let first = 1
  for (const column of columnsOf(table)) {
    const next = first + timesOf(column.attributes.get('table:number-columns-repeated'))
    const last = Math.min(next - 1, cells.lastColumn)
    if (isCollapsed(column) && first <= last)
      hidden.push(first === last ? columnLetters(first) : `${columnLetters(first)}:${columnLetters(last)}`)
    first = next
  }
  return hidden
}

function describe(name: string, isHidden: boolean, cells: Cells, hasDrawings: boolean): string {
  const hidden = isHidden ? ' (hidden)' : ''
  if (cells.rowCount === 0)
    return `Sheet "${name}"${hidden} ${hasDrawings ? 'has no cells with values, only what is drawn on it' : 'is empty'}.`
  const last = `${columnLetters(cells.lastColumn)}${cells.lastRow}`
  return `Sheet "${name}"${hidden} has ${counted(cells.rowCount, 'row')} and ${counted(cells.columnCount, 'column')} with values, as far as ${last}.`
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** `Ana: Is this right?` */
const remarkOf = (annotation: XmlElement): string =>
  [authorOf(annotation), linesOf(annotation).join(' ')].filter(Boolean).join(': ')

/** As it is shown, or otherwise as it is stored. */
function valueIn(cell: XmlElement, styles: OdfStyles, isStruck: boolean): string {
  const lines = allOf(cell, 'text:p').map(
    (paragraph) => odfInline(paragraph, { styles, count: { notes: 0 }, isStruck }, true).text,
  )
  const shown = lines.join('\n').trim()
  if (shown !== '') return shown
  for (const name of [
    'office:string-value',
    'office:date-value',
    'office:time-value',
    'office:boolean-value',
    'office:value',
  ]) {
    const value = cell.attributes.get(name)
    if (value !== undefined) return isStruck ? struck(value) : value
  }
  return textOf(allOf(cell, 'text:h')[0]).trim()
}

/** `of:=SUM([.B2:.B3])` as `=SUM(B2:B3)`; a cell of another sheet as `Costs!B2`. */
function formulaOf(cell: XmlElement): string {
  const written = cell.attributes.get('table:formula') ?? ''
  const formula = written.replace(/^[a-z]{1,10}:(?==)/, '')
  return formula.replace(/\[([^[\]]{1,200})\]/g, (_, place: string) =>
    place
      .split(':')
      .map((end) => (end.startsWith('.') ? end.slice(1) : end.replace(/^\$/, '').replace('.', '!')))
      .join(':'),
  )
}
