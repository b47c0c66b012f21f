/** The letters of a column, counted from 1: 1 is A, 27 is AA. */
export function columnLetters(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** Row and column of `B4`, from 1. Undefined if it isn't a cell of a sheet. */
export function cellOf(name: string): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(name) ?? []
  if (letters === undefined || digits === undefined) return undefined
  const column = columnNumber(letters)
  const row = Number(digits)
  return row >= 1 && row <= maxRows && column <= maxColumns ? { row, column } : undefined
}

/** The reverse: `A` is 1. */
export function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}

/** The largest row and column of a sheet. */
export const maxRows = 1_048_576
export const maxColumns = 16_384

/** A text that may stand in a cell of a Markdown table. */
export const inCell = (text: string): string =>
  needsCare.test(text) ? text.trim().replaceAll('|', '\\|').replace(lineEnds, '<br>') : text

const needsCare = /[|\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/
const lineEnds = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g

/** The cells of one sheet, to be written as one Markdown table. Keeps no more than it has room for. */
export class Cells {
  /** In the order in which they came; a row begins with its number in `#rows` and ends where the next begins. */
  #columns: number[] = []
  #texts: string[] = []
  #rows: { row: number; from: number; to: number }[] = []
  readonly #used = new Set<number>()
  readonly #keep: number
  #kept = 0
  #room: number
  #row = 0
  #isFull = false
  #isOutline = false
  /** How many there are. */
  count = 0
  rowCount = 0
  lastRow = 0
  /** Rows came with rising numbers. */
  isInOrder = true

  /** `room`: roughly how many characters the table may have; `keep`: from so many on, it is an outline. */
  constructor(room: number, keep = Number.POSITIVE_INFINITY) {
    this.#room = room
    this.#keep = keep
  }

  /** True if there was no room for something. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** There was too much text: only which columns there are is known. */
  get isOutline(): boolean {
    return this.#isOutline
  }

  /** Characters that still have room. */
  get room(): number {
    return this.#room
  }

  get columnCount(): number {
    return this.#used.size
  }

  get lastColumn(): number {
    return [...this.#used].reduce((last, column) => Math.max(last, column), 0)
  }

  /** Those with a value. */
  get columns(): number[] {
    return [...this.#used].sort((a, b) => a - b)
  }

  /** False if it is full. Empty text isn't a cell. */
  add(row: number, column: number, text: string): boolean {
    const shown = inCell(text)
    if (shown === '') return true
    if (this.#isFull || this.#room <= 0) {
      this.#isFull = true
      return false
    }
    this.count++
    this.#room -= shown.length + 3
    this.#used.add(column)
    const isNewRow = this.rowCount === 0 || row !== this.#row
    if (isNewRow) this.#begin(row)
    if (this.#isOutline) return true
    this.#kept += shown.length
    this.#columns.push(column)
    this.#texts.push(shown)
    const last = this.#rows.at(-1)
    if (last !== undefined && !isNewRow) last.to = this.#texts.length
    else this.#rows.push({ row, from: this.#texts.length - 1, to: this.#texts.length })
    if (this.#kept > this.#keep) this.#forget()
    return true
  }

  #begin(row: number): void {
    this.#room -= 10
    this.isInOrder &&= row > this.#row
    this.#row = row
    this.rowCount++
    this.lastRow = Math.max(this.lastRow, row)
  }

  #forget(): void {
    this.#isOutline = true
    this.#columns = []
    this.#texts = []
    this.#rows = []
  }

  /** Rows and columns without a value are left out, as are the empty cells at the end of a row. */
  toMarkdown(maxCharacters: number): string {
    const lines = new TableLines(this.columns)
    const rows = this.isInOrder ? this.#rows : this.#rows.toSorted((a, b) => a.row - b.row)
    for (const { row, from, to } of rows) {
      if (lines.waiting > maxCharacters) break
      const cells: string[] = []
      for (let index = from; index < to; index++) lines.put(cells, this.#columns[index] ?? 0, this.#texts[index] ?? '')
      lines.add(row, cells)
    }
    return lines.take()
  }
}

/** The lines of a Markdown table; what was taken is forgotten. */
export class TableLines {
  readonly #places: Map<number, number>
  #lines: string[] = []
  #hasBegun = false
  /** Characters of the lines that weren't taken, line ends included. */
  waiting = 0

  constructor(columns: number[]) {
    this.#places = new Map(columns.map((column, place) => [column, place]))
    if (columns.length === 0) return
    this.#push(`| | ${columns.map(columnLetters).join(' | ')} |`)
    this.#push(`|${' --- |'.repeat(columns.length + 1)}`)
  }

  /** Puts a text, which may stand in a cell, where it belongs in a row. */
  put(cells: string[], column: number, shown: string): void {
    const place = this.#places.get(column) ?? 0
    while (cells.length < place) cells.push('')
    cells[place] = shown
  }

  /** False if there is no room for it. */
  add(row: number, cells: string[], room = Number.POSITIVE_INFINITY): boolean {
    const line = `| ${row} | ${cells.join(' | ')} |`
    if (line.length >= room) return false
    this.#push(line)
    return true
  }

  /** From the second time on, it begins with a line end. */
  take(): string {
    const text = this.#lines.join('\n')
    const isMore = this.#hasBegun && text !== ''
    this.#hasBegun = true
    this.#lines = []
    this.waiting = 0
    return isMore ? `\n${text}` : text
  }

  #push(line: string): void {
    this.#lines.push(line)
    this.waiting += line.length + 1
  }
}
