import { TableLines } from '../cells.ts'
import type { DocumentPart, DocumentPiece, ParsedDocument } from '../document.ts'
import { damaged, type Hand, type ParseLimits, type Parser, Parts, portionCharacters } from '../parse.ts'
import { openZip } from '../zip.ts'
import { type Persons, readComments, readPersons } from './xlsx/comments.ts'
import { describe, hiddenFlag, hiddenMark, listed } from './xlsx/describe.ts'
import { readDrawings } from './xlsx/drawings.ts'
import { readLinks } from './xlsx/links.ts'
import { readRows, readSheet, type Sheet, type SheetContext } from './xlsx/sheet.ts'
import { readStyles } from './xlsx/styles.ts'
import { readTables } from './xlsx/tables.ts'
import {
  Package,
  readSharedStrings,
  readWorkbook,
  type SheetEntry,
  type Workbook,
  workbookPath,
} from './xlsx/workbook.ts'

/** The most single sheets with notes; the rest is counted. */
const maxSheetNotes = 200

/** The sheets of an Excel workbook, values as they are shown. Throws `damaged`, `too_complex`, `not_readable`. */
export const parseXlsx: Parser = async ({ name, bytes }, limits, _, hand) => {
  const zip = await openZip(bytes, limits)
  const file = new Package(zip)
  const path = await workbookPath(file)
  if (path.toLowerCase().endsWith('.bin')) {
    await zip.check()
    const { parseBinaryWorkbook } = await import('./xls.ts')
    return parseBinaryWorkbook({ name, bytes }, limits)
  }
  const workbook = { ...(await readWorkbook(file, path)), persons: await readPersons(file, path) }
  if (workbook.sheets.length === 0) throw damaged('it has no sheets')
  const document = await new Reader(file, workbook, limits, hand).read(await partsBeside(file, path, workbook.is1904))
  return { ...document, notes: [...document.notes, ...zip.notes] }
}

/** Texts and styles belong to the workbook; both may be missing. */
async function partsBeside(file: Package, path: string, is1904: boolean): Promise<Omit<SheetContext, 'room'>> {
  const relations = [...(await file.relations(path)).values()]
  const pathOf = (type: string, usual: string) => relations.find((relation) => relation.type === type)?.path ?? usual
  const strings = file.pieces(pathOf('sharedStrings', 'xl/sharedStrings.xml'))
  return {
    strings: strings === undefined ? [] : await readSharedStrings(strings),
    styles: readStyles(await file.read(pathOf('styles', 'xl/styles.xml')), is1904),
  }
}

interface Added {
  /** For another sheet. */
  hasRoom: boolean
  /** Some of its cells had no room. */
  isFull: boolean
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

class Reader {
  readonly #file: Package
  readonly #workbook: Workbook & { persons: Persons }
  readonly #parts: Parts
  readonly #hand: Hand | undefined
  readonly #sheetNotes: string[] = []
  #room: number

  constructor(file: Package, workbook: Workbook & { persons: Persons }, limits: ParseLimits, hand: Hand | undefined) {
    this.#hand = hand
    this.#file = file
    this.#workbook = workbook
    this.#parts = new Parts(limits)
    this.#room = limits.textCharacters
  }

  async read(context: Omit<SheetContext, 'room'>): Promise<ParsedDocument> {
    let isCut = false
    const keep = this.#hand === undefined ? {} : { keep: portionCharacters }
    for (const [index, entry] of this.#workbook.sheets.entries()) {
      const { hasRoom, isFull } = await this.#sheet(entry, index + 1, { ...context, ...keep, room: this.#room })
      isCut ||= isFull
      if (!hasRoom) break
      if (this.#parts.isPortion && index < this.#workbook.sheets.length - 1) await this.#handOver()
    }
    const leftOut = this.#parts.notes()
    if (isCut && leftOut.length === 0) leftOut.push('It is too large to read completely: the rest was left out.')
    return { kind: 'xlsx', notes: [...this.#notes(), ...leftOut], parts: this.#parts.list }
  }

  async #sheet(entry: SheetEntry, number: number, context: SheetContext): Promise<Added> {
    const named = { unit: 'sheet' as const, number, name: entry.name, ...hiddenFlag(entry) }
    const path = entry.path ?? ''
    const isThere = entry.path !== undefined && this.#file.has(path)
    if (entry.kind !== 'sheet' || !isThere) {
      const what = entry.kind === 'chart' ? 'holds only a chart' : 'holds no cells'
      const drawings = isThere ? await readDrawings(this.#file, (await this.#file.relations(path)).values()) : []
      this.#sheetNotes.push(
        `Sheet "${entry.name}"${hiddenMark(entry)} ${isThere ? what : 'is missing in the file: what it held was left out'}.`,
      )
      return { hasRoom: this.#add({ ...named, text: drawings.join('\n\n') }), isFull: false }
    }
    let isAgain = false
    const pieces = () => {
      const unpacked = this.#file.pieces(path, isAgain) ?? nothing()
      isAgain = true
      return unpacked
    }
    const links = await readLinks(pieces, await this.#file.relations(path, true))
    const own = links.size > 0 ? { ...context, links } : context
    const found = await readSheet(pieces(), own)
    const isMixedUp = found.cells.isOutline && !found.cells.isInOrder
    const sheet = isMixedUp ? await readSheet(pieces(), { ...own, keep: Number.POSITIVE_INFINITY }) : found
    return this.#addSheet(entry, named, sheet, { pieces, context: own })
  }

  async #addSheet(
    entry: SheetEntry,
    named: Omit<DocumentPart, 'text'>,
    sheet: Sheet,
    { pieces, context }: { pieces: () => AsyncIterable<Uint8Array>; context: SheetContext },
  ): Promise<Added> {
    const relations = await this.#file.relations(entry.path ?? '')
    const comments = await readComments(this.#file, relations.values(), this.#workbook.persons)
    const drawings = await readDrawings(this.#file, relations.values())
    const below = [
      ...drawings,
      ...(comments.length > 0 ? [['Comments:', ...comments.map((line) => `- ${line}`)].join('\n')] : []),
    ]
    const tables = await readTables(this.#file, relations.values())
    const about = describe(entry, sheet, drawings.length > 0)
    this.#sheetNotes.push(about + (tables.length > 0 ? ` Tables: ${listed(tables, 20)}.` : ''))
    const before = { length: 0, isFirst: true }
    if (sheet.cells.isOutline) {
      const lines = new TableLines(sheet.cells.columns)
      await readRows(pieces(), context, sheet, lines, async () => {
        if (lines.waiting < portionCharacters) return
        this.#addPiece(named, lines.take(), before)
        await this.#handOver()
      })
      below.unshift(lines.take())
    } else below.unshift(sheet.cells.toMarkdown(context.room))
    const length = before.length + (below[0]?.length ?? 0)
    const formulas = sheet.formulas.length > 0 ? { formulas: sheet.formulas.join('\n') } : {}
    // The rows above may have been handed over.
    const isBelow = !before.isFirst && below[0] === ''
    const text = below.filter((piece, index) => piece !== '' || (index === 0 && isBelow)).join('\n\n')
    const hasRoom = this.#addPiece({ ...named, ...formulas }, text, before)
    return { hasRoom, isFull: sheet.cells.isFull || length > context.room }
  }

  #addPiece(named: Omit<DocumentPart, 'text'>, text: string, before: { length: number; isFirst: boolean }): boolean {
    const hasRoom = this.#add({ ...named, text, ...(before.isFirst ? {} : { continues: true }) })
    before.isFirst = false
    before.length += text.length
    return hasRoom
  }

  #add(piece: DocumentPiece): boolean {
    this.#room -= piece.text.length + (piece.formulas?.length ?? 0)
    return this.#parts.add(piece)
  }

  async #handOver(): Promise<void> {
    if (this.#hand !== undefined) await this.#parts.hand(this.#hand, this.#workbook.sheets.length)
  }

  #notes(): string[] {
    const { sheets, definedNames, is1904 } = this.#workbook
    const notes = this.#sheetNotes.slice(0, maxSheetNotes)
    const more = sheets.length - notes.length
    if (more > 0) notes.push(`There are ${more} more sheets.`)
    if (definedNames.length > 0) notes.push(`Defined names: ${listed(definedNames, 50, '; ')}.`)
    if (is1904) notes.push('Its dates count from 1904; they are shown correctly.')
    if (this.#file.has('xl/vbaProject.bin')) notes.push('It contains macros, which were not run.')
    return notes
  }
}
