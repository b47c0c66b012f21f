import { struck } from '../text/marks.ts'
import { headingMark } from './headings.ts'

/** Control words that stand for characters. */
export const signs = new Map([
  ['par', '\n'],
  ['line', '\n'],
  ['sect', '\n\n'],
  ['page', '\n\n'],
  ['tab', '\t'],
  ['cell', ' | '],
  ['nestcell', ' | '],
  ['row', '\n'],
  ['nestrow', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
])

/** Bars follow cells; a row begins with one too. */
const asRow = (line: string): string => (line.length > 1 && line.endsWith('|') ? `| ${line}` : line)

/** What ends a paragraph, and what a row. */
const ends = new Set(['par', 'sect', 'page', 'row', 'nestrow'])

/** What kind of paragraph or cell is being written. */
export interface Format {
  /** The paragraph's level, as a heading. */
  level: number | undefined
  isInTable: boolean
  isStruck: boolean
}

/** A document's text as it comes: headings as Markdown, cells between bars, each row on a line. */
export class Paragraphs {
  readonly #pieces: string[] = []
  #room: number
  /** Where the paragraph begins among the pieces. */
  #start = 0
  #hasText = false
  /** Of the text before. */
  #level: number | undefined
  #hasCells = false
  #isInRow = false
  /** Of the last piece. */
  #isStruck = false

  /** `room` is in characters. */
  constructor(room: number) {
    this.#room = room
  }

  get hasRoom(): boolean {
    return this.#room > 0
  }

  put(text: string, { level, isStruck }: Format): void {
    this.#room -= text.length
    if (text.trim() !== '') {
      this.#hasText = true
      this.#level = level
    }
    this.#endStruck(isStruck)
    if (this.#isStruck) this.#pieces.push((this.#pieces.pop() ?? '') + text)
    else this.#pieces.push(text)
    this.#isStruck = isStruck
  }

  /** A control word of `signs`. */
  sign(word: string, around: Format): void {
    const format = { ...around, isStruck: false }
    const { level, isInTable } = format
    if ((word === 'par' || word === 'line') && isInTable && this.#isInRow) this.put('<br>', format)
    else if (word === 'line' && level !== undefined) this.put(' ', format)
    else {
      if (ends.has(word)) this.#endParagraph(level)
      if (word === 'row') this.#isInRow = false
      this.put(signs.get(word) ?? '', format)
      if (ends.has(word)) this.#start = this.#pieces.length
      else this.#hasCells ||= word === 'cell' || word === 'nestcell'
    }
  }

  startRow(): void {
    this.#isInRow = true
  }

  end(): string {
    this.#endParagraph(this.#level)
    const lines = this.#pieces.join('').split('\n')
    const tidy = lines.map((line) => asRow(line.trim())).join('\n')
    return tidy.replace(/\n{3,}/g, '\n\n').trim()
  }

  /** Only a finished paragraph is known to be a heading: an empty one isn't, and neither is a table's cell. */
  #endParagraph(level: number | undefined): void {
    this.#endStruck()
    const first = this.#pieces[this.#start]
    if (level !== undefined && first !== undefined && this.#hasText && !this.#hasCells) {
      this.#pieces[this.#start] = headingMark(level) + first.trimStart()
    }
    this.#start = this.#pieces.length
    this.#hasText = false
    this.#hasCells = false
  }

  #endStruck(goesOn = false): void {
    if (!this.#isStruck || goesOn) return
    this.#pieces.push(struck(this.#pieces.pop() ?? ''))
    this.#isStruck = false
  }
}
