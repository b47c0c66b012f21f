import type { OpenDocument } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { counted, cutCharacters } from '../../../kit/text/shown.ts'
import type { FileLimits } from '../context.ts'
import { type Budget, budgetOf } from './document-budget.ts'
import { documentFooter, footerBytes } from './document-footer.ts'
import { headOf, withoutHead } from './part-names.ts'
import { wantedParts } from './wanted-parts.ts'

export interface DocumentPlace {
  path: string
  /** `12`, `11-20`, `11-`, or the name of a sheet. */
  part: string | undefined
  /** Line of the first part to begin at, from 1. */
  offset: number
  /** Most lines. */
  limit: number | undefined
  formulas: boolean
}

/** Whether the beginning of a document has all that a page of it shows. */
export const showsEnough =
  ({ path, part }: Pick<DocumentPlace, 'path' | 'part'>, { read }: FileLimits) =>
  (beginning: OpenDocument): boolean => {
    try {
      return wantedParts(beginning, path, part).first + read.pdfPages < beginning.parts.length
    } catch (thrown) {
      // What isn't there yet may come.
      if (thrown instanceof Failure) return false
      throw thrown
    }
  }

/** One page of a document's text, and below it what it is, what was shown, and how to read on. */
export async function documentPage(document: OpenDocument, place: DocumentPlace, limits: FileLimits): Promise<string> {
  const { first, last } = wantedParts(document, place.path, place.part)
  const page = new DocumentPage(document, limits)
  let at = first
  let line = place.offset
  let lines = place.limit ?? Number.POSITIVE_INFINITY
  for (; at <= last && page.hasRoomForPart(); at++, line = 1) {
    const taken = await page.addPart(at, line, lines, place.formulas)
    lines -= taken.lines
    if (taken.next !== undefined) {
      line = taken.next
      break
    }
    if (lines <= 0) {
      at++
      line = 1
      break
    }
  }
  const isBeginning = place.part === undefined && place.offset === 1
  return page.text(documentFooter(document, place.path, { first, last, at, line }, isBeginning))
}

class DocumentPage {
  readonly #document: OpenDocument
  readonly #blocks: string[] = []
  readonly #budget: Budget
  #bytes: number
  #parts = 0
  #characters = 0

  constructor(document: OpenDocument, limits: FileLimits) {
    this.#document = document
    this.#budget = budgetOf(document, limits)
    this.#bytes = limits.outputBytes - footerBytes
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
    const head = headOf(this.#document, index)
    this.#bytes -= Buffer.byteLength(head) + betweenBytes
    let seen = 0
    let next: number | undefined
    for await (const lines of this.#document.lines(index)) {
      for (let at = Math.max(0, from - 1 - seen); at < lines.length && next === undefined; at++) {
        const line = withoutHead(lines[at] ?? '')
        const taken = kept.length < mostLines ? this.#fitting(line, kept.length === 0) : undefined
        if (taken === undefined) next = seen + at + 1
        else kept.push(taken)
      }
      seen += lines.length
      if (next !== undefined) break
    }
    this.#parts++
    // A heading with nothing below it says nothing.
    if (next !== undefined && kept.length === 0) return { lines: 0, next }
    if (formulas) kept.push(...this.#formulasOf(index, kept))
    const body = kept.length > 0 ? kept.join('\n') : nothingIn(seen)
    this.#blocks.push(head === '' ? body : `${head}\n${body}`)
    return { lines: kept.length, ...(next !== undefined && { next }) }
  }

  /** Formulas of the rows that are shown, as far as there is room. */
  #formulasOf(index: number, rows: string[]): string[] {
    const shown = new Set(rows.map((row) => /^\| (\d+) \|/.exec(row)?.[1]))
    const formulas = this.#document.formulas(index).split('\n')
    const theirs = formulas.filter((line) => shown.has(/^[A-Z]+(\d+):/.exec(line)?.[1]))
    const kept: string[] = []
    for (const line of theirs) {
      const taken = this.#fitting(line, false)
      if (taken === undefined) return ['', 'Formulas (there are more: read fewer rows with limit):', ...kept]
      kept.push(taken)
    }
    return kept.length === 0 ? [] : ['', 'Formulas:', ...kept]
  }

  /** The line, the beginning of it if it alone is too long, or undefined if there is no room for it. */
  #fitting(line: string, isFirst: boolean): string | undefined {
    const bytes = Buffer.byteLength(line) + 1
    if (bytes <= this.#bytes && this.#characters + line.length <= this.#budget.characters) {
      this.#bytes -= bytes
      this.#characters += line.length + 1
      return line
    }
    // One line always fits, or reading would never get past it.
    if (!isFirst || this.#blocks.length > 0) return undefined
    const piece = cutCharacters(line, Math.min(this.#budget.characters, Math.floor(this.#bytes / 3)))
    this.#bytes = 0
    return `${piece}… [line cut: it has ${counted(line.length, 'character')}]`
  }

  /** What was added, with what stands below. */
  text(footer: string): string {
    return [...this.#blocks, footer].join('\n\n')
  }
}

/** Between two blocks, and `(no text)`. */
const betweenBytes = 20

const nothingIn = (lines: number): string => (lines === 0 ? '(no text)' : `(it has only ${counted(lines, 'line')})`)
