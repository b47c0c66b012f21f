import type { DocumentKind, OpenDocument, PartEntry, PartUnit } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { quotedLine } from '../../../kit/text/marks.ts'
import { counted, cutCharacters, shownPath } from '../../../kit/text/shown.ts'
import { cutUtf8 } from '../../../kit/text/text.ts'
import type { FileLimits, ReadBudgets } from '../context.ts'

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

/** What a kind is called, after "is". */
const kindNames: Record<DocumentKind, string> = {
  pdf: 'a PDF document',
  docx: 'a Word document',
  xlsx: 'an Excel workbook',
  pptx: 'a PowerPoint presentation',
  csv: 'a table of separated values',
  odf: 'an OpenDocument file',
  rtf: 'an RTF document',
  email: 'an e-mail',
  archive: 'an archive',
  image: 'an image',
  legacy: 'a document of an old Office version',
}

/** Bytes that are kept free for what stands below the text, and those of them that notes may have. */
const footerBytes = 4000
const noteBytes = 2000

/** Characters of names and paths: a title may be as long as a book. */
const nameCharacters = 200

/** F2: short ones whole, of long ones so many parts and characters at once. */
function budgetOf({ kind, parts }: OpenDocument, limits: FileLimits): { parts: number; characters: number } {
  const { read } = limits
  const unit = parts[0]?.unit
  if (kind === 'pdf') {
    const isShort = parts.length <= read.pdfPages
    return { parts: read.pdfPages, characters: isShort ? limits.outputBytes : read.pdfCharacters }
  }
  return budgetsByUnit[unit ?? 'section'](read)
}

const budgetsByUnit: Record<PartUnit, (read: ReadBudgets) => { parts: number; characters: number }> = {
  page: (read) => ({ parts: read.pdfPages, characters: read.pdfCharacters }),
  sheet: (read) => ({ parts: read.xlsxSheets, characters: read.xlsxCharacters }),
  slide: (read) => ({ parts: read.pptxSlides, characters: read.pptxCharacters }),
  section: (read) => ({ parts: Number.POSITIVE_INFINITY, characters: read.docxCharacters }),
}

/** One page of a document's text, and below it what it is, what was shown, and how to read on. */
export function documentPage(document: OpenDocument, place: DocumentPlace, limits: FileLimits): string {
  const { first, last } = wantedParts(document, place)
  const page = new DocumentPage(document, limits)
  let at = first
  let line = place.offset
  let lines = place.limit ?? Number.POSITIVE_INFINITY
  for (; at <= last && page.hasRoomForPart(); at++, line = 1) {
    const taken = page.addPart(at, line, lines, place.formulas)
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
  return page.text(place, { first, last, at, line })
}

interface Position {
  first: number
  last: number
  /** The part and line at which to go on; behind `last` when everything was shown. */
  at: number
  line: number
}

class DocumentPage {
  readonly #document: OpenDocument
  readonly #blocks: string[] = []
  readonly #budget: { parts: number; characters: number }
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

  /** `next` is the line at which the part goes on, when there was no room for all of it. */
  addPart(index: number, from: number, mostLines: number, formulas: boolean): { lines: number; next?: number } {
    const text = this.#document.text(index)
    const lines = text === '' ? [] : text.split('\n')
    const kept: string[] = []
    const head = headOf(this.#document.parts, index)
    this.#bytes -= Buffer.byteLength(head) + betweenBytes
    let next: number | undefined
    for (let at = from - 1; at < lines.length; at++) {
      const line = withoutHead(lines[at] ?? '')
      const taken = kept.length < mostLines ? this.#fitting(line, kept.length === 0) : undefined
      if (taken === undefined) {
        next = at + 1
        break
      }
      kept.push(taken)
    }
    this.#parts++
    // A head with nothing below it says nothing.
    if (next !== undefined && kept.length === 0) return { lines: 0, next }
    if (formulas) kept.push(...this.#formulasOf(index, kept))
    const body = kept.length > 0 ? kept.join('\n') : nothingIn(lines.length)
    this.#blocks.push(head === '' ? body : `${head}\n${body}`)
    return { lines: kept.length, ...(next !== undefined && { next }) }
  }

  /** Of the rows that are shown, as far as there is room. */
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

  /** The line, a piece of it when it alone is too long, or undefined when there is no room for it. */
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

  text({ path, part, offset }: DocumentPlace, position: Position): string {
    const { kind, notes, parts } = this.#document
    const isBeginning = part === undefined && offset === 1
    const facts = [
      `${pathOf(path)} is ${kindNames[kind]}${sizeOf(parts)}.`,
      ...shownRange(parts, position, notes.some(isAboutTheEnd)),
      ...shortened(isBeginning ? notes : notes.filter(isAboutTheEnd)),
    ]
    return [...this.#blocks, `[${facts.join(' ')}]`].join('\n\n')
  }
}

/** What was left out has to be said wherever somebody may take the end of the text for the end of the document. */
const isAboutTheEnd = (note: string): boolean => note.endsWith('was left out.')

/** Between two blocks, and `(no text)`. */
const betweenBytes = 20

const nothingIn = (lines: number): string => (lines === 0 ? '(no text)' : `(it has only ${counted(lines, 'line')})`)

/** A line of a document that looks like the head of another part is not taken for one. In Markdown it says the same. */
const withoutHead = (line: string): string => (/^--- \p{L}+ \d+ of \d/u.test(line) ? `\\${line}` : line)

const pathOf = (path: string): string => shortName(shownPath(path))

const shortName = (name: string): string =>
  name.length > nameCharacters ? `${cutCharacters(name, nameCharacters)}…` : name

/** `--- Page 3 of 60 ---`; nothing for what is one piece. */
function headOf(parts: PartEntry[], index: number): string {
  const part = parts[index]
  if (part === undefined || (parts.length === 1 && part.unit === 'section')) return ''
  const name = part.name === undefined ? '' : ` ${quotedLine(shortName(part.name))}`
  return `--- ${capital(part.unit)} ${part.number} of ${parts.length}${name} ---`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function sizeOf(parts: PartEntry[]): string {
  const unit = parts[0]?.unit
  return unit === undefined || (unit === 'section' && parts.length === 1) ? '' : ` of ${counted(parts.length, unit)}`
}

function shownRange(parts: PartEntry[], { first, last, at, line }: Position, isCut: boolean): string[] {
  const isDone = at >= parts.length || at > last
  if (isDone && first === 0 && at >= parts.length) return isCut ? [] : ['This is all of it.']
  const [from, to] = [parts[first]?.number, parts[Math.min(at, parts.length) - (line > 1 ? 0 : 1)]?.number]
  const unit = parts[first]?.unit ?? 'part'
  const shown = from === to ? `${capital(unit)} ${from} is shown` : `${capital(unit)}s ${from} to ${to} are shown`
  if (at >= parts.length) return [isCut ? `${shown}.` : `${shown}; that is the end.`]
  const number = parts[at]?.number
  const how = line > 1 ? `part "${number}-" and offset ${line}` : `part "${number}-"`
  return [
    isDone ? `${shown}.` : `${shown}${line > 1 ? ' in part' : ''}; there is more: read on with ${how}.`,
    ...(isDone ? [] : ['search_file finds a passage faster.']),
  ]
}

function shortened(notes: string[]): string[] {
  const kept: string[] = []
  let room = noteBytes
  for (const note of notes) {
    if (room <= 0) break
    const bytes = Buffer.byteLength(note)
    kept.push(bytes > room ? `${cutUtf8(note, room)}…` : note)
    room -= bytes
  }
  return kept
}

/** Indexes of the first and last part that are wanted. */
function wantedParts({ parts }: OpenDocument, { path, part }: DocumentPlace): { first: number; last: number } {
  const end = Math.max(0, parts.length - 1)
  if (part === undefined) return { first: 0, last: end }
  const named = parts.findIndex(({ name }) => name === part)
  if (named !== -1) return { first: named, last: named }
  const range = /^(\d+)(?:\s*(-|to|\.\.)\s*(\d+)?)?$/.exec(part.trim())
  const first = range === null ? -1 : parts.findIndex(({ number }) => number === Number(range[1]))
  if (range === null || first === -1) throw noSuchPart(path, part, parts)
  if (range[2] === undefined) return { first, last: first }
  const to = range[3] === undefined ? Number.POSITIVE_INFINITY : Number(range[3])
  return {
    first,
    last: Math.max(
      first,
      parts.findLastIndex(({ number }) => number <= to),
    ),
  }
}

function noSuchPart(path: string, part: string, parts: PartEntry[]): Failure {
  const unit = parts[0]?.unit ?? 'part'
  const names = parts.flatMap(({ name }) => (name === undefined ? [] : [quotedLine(shortName(name))])).slice(0, 30)
  const known = names.length > 0 && unit === 'sheet' ? ` They are named ${names.join(', ')}.` : ''
  return new Failure(
    'no_such_part',
    `${pathOf(path)} has no ${unit} ${quotedLine(shortName(part))}: it has ${counted(parts.length, unit)}.${known}`,
    `Give a number such as "3", or a range such as "3-5"${unit === 'sheet' ? ', or the name of a sheet' : ''}.`,
  )
}
