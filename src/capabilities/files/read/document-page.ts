import type { OpenDocument } from '../../../kit/documents/document.ts'
import { KeyLines } from '../../../kit/secrets/key-lines.ts'
import { counted, cutCharacters } from '../../../kit/text/shown.ts'
import type { FilesContext } from '../context.ts'
import { type Budget, budgetOf } from './document-budget.ts'
import { footerBytes } from './document-footer.ts'
import { keptCharacters } from './page.ts'
import { headOf, titlesOf, withoutHead } from './part-names.ts'
import { columnToReadOn, placeOf } from './words.ts'

/** One page of a document, as it is put together. */
export class DocumentPage {
  readonly #document: OpenDocument
  readonly #context: Pick<FilesContext, 'limits' | 'mask'>
  readonly #blocks: string[] = []
  readonly #budget: Budget
  #bytes: number
  #parts = 0
  #characters = 0
  /** Of a line only the beginning is shown. */
  hasCutLine = false

  constructor(document: OpenDocument, context: Pick<FilesContext, 'limits' | 'mask'>) {
    this.#document = document
    this.#context = context
    this.#budget = budgetOf(document, context.limits)
    this.#bytes = context.limits.outputBytes - footerBytes
  }

  hasRoomForPart(): boolean {
    return this.#parts < this.#budget.parts && this.#characters < this.#budget.characters && this.#bytes > 200
  }

  /** `next` is the line at which the part continues, if there was no room for all of it. */
  async addPart(
    index: number,
    from: number,
    mostLines: number,
    formulas: boolean,
  ): Promise<{ lines: number; next?: number }> {
    const kept: string[] = []
    const head = [headOf(this.#document, index)].filter((line) => line !== '')
    this.#take(head, betweenBytes)
    let titles: string[] = []
    let seen = 0
    let next: number | undefined
    const key = new KeyLines()
    for await (const lines of this.#document.lines(index)) {
      if (seen === 0) titles = titlesOf(this.#document.parts[index], lines, from).map((line) => this.#title(line))
      if (seen === 0) this.#take(titles, 0)
      const first = Math.max(0, from - 1 - seen)
      for (const line of lines.slice(0, first)) key.masked(line)
      for (let at = first; at < lines.length && next === undefined; at++) {
        const line = withoutHead(key.rest(lines[at] ?? ''))
        // One line always fits, or reading would never get past it.
        const isFirst = kept.length === 0 && this.#blocks.length === 0
        const shown = () => this.#fitting(line) ?? (isFirst ? this.#beginningOf(line, index, seen + at + 1) : undefined)
        const taken = kept.length < mostLines ? shown() : undefined
        if (taken === undefined) next = seen + at + 1
        else kept.push(taken)
      }
      seen += lines.length
      if (next !== undefined) break
    }
    this.#parts++
    // A heading with nothing below it says nothing.
    if (next !== undefined && kept.length === 0) return { lines: 0, next }
    if (/^\| \d+ \|/.test(kept[0] ?? '')) head.push(...titles)
    if (formulas) kept.push(...this.#formulasOf(index, kept))
    const body = kept.length > 0 ? kept : [nothingIn(seen)]
    this.#blocks.push([...head, ...body].join('\n'))
    return { lines: kept.length, ...(next !== undefined && { next }) }
  }

  #take(lines: string[], more: number): void {
    this.#bytes -= lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 1, more)
  }

  /** Formulas of the rows that are shown, as far as there is room. */
  #formulasOf(index: number, rows: string[]): string[] {
    const shown = new Set(rows.map((row) => /^\| (\d+) \|/.exec(row)?.[1]))
    const formulas = this.#document.formulas(index).split('\n')
    const theirs = formulas.filter((line) => shown.has(/^[A-Z]+(\d+):/.exec(line)?.[1]))
    const kept: string[] = []
    for (const line of theirs) {
      const taken = this.#fitting(line)
      if (taken === undefined) return ['', 'Formulas (there are more: read fewer rows with limit):', ...kept]
      kept.push(taken)
    }
    return kept.length === 0 ? [] : ['', 'Formulas:', ...kept]
  }

  /** The line, or undefined if there is no room for it. */
  #fitting(line: string): string | undefined {
    const bytes = Buffer.byteLength(line) + 1
    if (bytes > this.#bytes || this.#characters + line.length > this.#budget.characters) return undefined
    this.#bytes -= bytes
    this.#characters += line.length + 1
    return line
  }

  /** Masked first: nobody would recognize a part of a secret. */
  #cut(line: string, most: number): string {
    const { limits, mask } = this.#context
    return cutCharacters(mask(line.slice(0, keptCharacters(1, limits))), most)
  }

  #title(line: string): string {
    return line.length > titleCharacters ? `${this.#cut(line, titleCharacters)}…` : line
  }

  /** The beginning of a line that is too long for a page. `linePart` shows the rest. */
  #beginningOf(line: string, index: number, number: number): string {
    const shown = this.#cut(line, Math.min(this.#budget.characters, Math.floor(this.#bytes / 3)))
    const rest = columnToReadOn(placeOf(number, this.#document.parts[index]?.number), shown.length + 1)
    this.#bytes = 0
    this.hasCutLine = true
    return `${shown}… [line cut: it has ${counted(line.length, 'character')}; ${rest}]`
  }

  /** What was added, with what stands below. */
  text(footer: string): string {
    return [...this.#blocks, footer].join('\n\n')
  }
}

const titleCharacters = 2000

/** Between two blocks, and `(no text)`. */
const betweenBytes = 20

const nothingIn = (lines: number): string => (lines === 0 ? '(no text)' : `(it has only ${counted(lines, 'line')})`)
