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
const inCell = (text: string): string =>
  needsCare.test(text) ? text.trim().replaceAll('|', '\\|').replace(lineEnds, '<br>') : text

const needsCare = /[|\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/
const lineEnds = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g

/** The cells of one sheet, to be written as one Markdown table. Keeps no more than it has room for. */
export class Cells {
  /** In the order in which they came; a row begins with its number in `#rows` and ends where the next begins. */
  readonly #columns: number[] = []
  readonly #texts: string[] = []
  readonly #rows: { row: number; from: number; to: number }[] = []
  readonly #used = new Set<number>()
  #room: number
  #isFull = false

  /** `room`: roughly how many characters the table may have. */
  constructor(room: number) {
    this.#room = room
  }

  /** True if there was no room for something. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Characters that still have room. */
  get room(): number {
    return this.#room
  }

  get rowCount(): number {
    return this.#rows.length
  }

  get columnCount(): number {
    return this.#used.size
  }

  get lastRow(): number {
    return this.#rows.reduce((last, { row }) => Math.max(last, row), 0)
  }

  get lastColumn(): number {
    return [...this.#used].reduce((last, column) => Math.max(last, column), 0)
  }

  /** False if it is full. Empty text isn't a cell. */
  add(row: number, column: number, text: string): boolean {
    const shown = inCell(text)
    if (shown === '') return true
    if (this.#isFull || this.#room <= 0) {
      this.#isFull = true
      return false
    }
    this.#room -= shown.length + 3
    this.#columns.push(column)
    this.#texts.push(shown)
    this.#used.add(column)
    const last = this.#rows.at(-1)
    if (last?.row === row) last.to = this.#texts.length
    else {
      this.#room -= 10
      this.#rows.push({ row, from: this.#texts.length - 1, to: this.#texts.length })
    }
    return true
  }

  /** Rows and columns without a value are left out, as are the empty cells at the end of a row. */
  toMarkdown(maxCharacters: number): string {
    const columns = [...this.#used].sort((a, b) => a - b)
    if (columns.length === 0) return ''
    const places = new Map(columns.map((column, place) => [column, place]))
    const head = `| | ${columns.map(columnLetters).join(' | ')} |`
    const lines = [head, `|${' --- |'.repeat(columns.length + 1)}`]
    let length = head.length * 2
    const rows = this.#inOrder() ? this.#rows : this.#rows.toSorted((a, b) => a.row - b.row)
    for (const row of rows) {
      const line = this.#line(row, places)
      lines.push(line)
      length += line.length + 1
      if (length > maxCharacters) break
    }
    return lines.join('\n')
  }

  #inOrder(): boolean {
    return this.#rows.every(({ row }, index) => index === 0 || row > (this.#rows[index - 1]?.row ?? 0))
  }

  #line({ row, from, to }: { row: number; from: number; to: number }, places: Map<number, number>): string {
    const cells: string[] = []
    for (let index = from; index < to; index++) {
      const place = places.get(this.#columns[index] ?? 0) ?? 0
      while (cells.length < place) cells.push('')
      cells[place] = this.#texts[index] ?? ''
    }
    return `| ${row} | ${cells.join(' | ')} |`
  }
}
