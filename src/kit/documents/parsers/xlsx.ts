import type { DocumentPart, ParsedDocument } from '../document.ts'
import { damaged, type ParseLimits, type Parser, Parts } from '../parse.ts'
import { openZip } from '../zip.ts'
import { type Persons, readComments, readPersons } from './xlsx/comments.ts'
import { describe, hiddenMark, listed } from './xlsx/describe.ts'
import { readDrawings } from './xlsx/drawings.ts'
import { readLinks } from './xlsx/links.ts'
import { readSheet, type SheetContext } from './xlsx/sheet.ts'
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
export const parseXlsx: Parser = async ({ name, bytes }, limits) => {
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
  const document = await new Reader(file, workbook, limits).read(await partsBeside(file, path, workbook.is1904))
  return { ...document, notes: [...document.notes, ...zip.notes] }
}

/** Texts and styles belong to the workbook; both may be missing. */
async function partsBeside(file: Package, path: string, is1904: boolean): Promise<Omit<SheetContext, 'room'>> {
  const relations = [...(await file.relations(path)).values()]
  const read = (type: string, usual: string) =>
    file.read(relations.find((relation) => relation.type === type)?.path ?? usual)
  const strings = await read('sharedStrings', 'xl/sharedStrings.xml')
  return {
    strings: strings === undefined ? [] : readSharedStrings(strings),
    styles: readStyles(await read('styles', 'xl/styles.xml'), is1904),
  }
}

class Reader {
  readonly #file: Package
  readonly #workbook: Workbook & { persons: Persons }
  readonly #parts: Parts
  readonly #sheetNotes: string[] = []
  #room: number

  constructor(file: Package, workbook: Workbook & { persons: Persons }, limits: ParseLimits) {
    this.#file = file
    this.#workbook = workbook
    this.#parts = new Parts(limits)
    this.#room = limits.textCharacters
  }

  async read(context: Omit<SheetContext, 'room'>): Promise<ParsedDocument> {
    let isCut = false
    for (const [index, entry] of this.#workbook.sheets.entries()) {
      const { part, isFull } = await this.#part(entry, index + 1, { ...context, room: this.#room })
      this.#room -= part.text.length + (part.formulas?.length ?? 0)
      isCut ||= isFull
      if (!this.#parts.add(part)) break
    }
    const leftOut = this.#parts.notes()
    if (isCut && leftOut.length === 0) leftOut.push('It is too large to read completely: the rest was left out.')
    return { kind: 'xlsx', notes: [...this.#notes(), ...leftOut], parts: this.#parts.list }
  }

  async #part(
    entry: SheetEntry,
    number: number,
    context: SheetContext,
  ): Promise<{ part: DocumentPart; isFull: boolean }> {
    const named = { unit: 'sheet' as const, number, name: entry.name }
    const xml = entry.path === undefined ? undefined : await this.#file.read(entry.path)
    if (entry.kind !== 'sheet' || xml === undefined) {
      const what = entry.kind === 'chart' ? 'holds only a chart' : 'holds no cells'
      const drawings =
        xml === undefined ? [] : await readDrawings(this.#file, (await this.#file.relations(entry.path ?? '')).values())
      this.#sheetNotes.push(
        `Sheet "${entry.name}"${hiddenMark(entry)} ${xml === undefined ? 'is missing in the file' : what}.`,
      )
      return { part: { ...named, text: drawings.join('\n\n') }, isFull: false }
    }
    const path = entry.path ?? ''
    const links = readLinks(xml, await this.#file.relations(path, true))
    const sheet = readSheet(xml, links.size > 0 ? { ...context, links } : context)
    const relations = await this.#file.relations(path)
    const comments = await readComments(this.#file, relations.values(), this.#workbook.persons)
    const table = sheet.cells.toMarkdown(context.room)
    const text = [
      table,
      ...(await readDrawings(this.#file, relations.values())),
      ...(comments.length > 0 ? [['Comments:', ...comments.map((line) => `- ${line}`)].join('\n')] : []),
    ]
    const tables = await readTables(this.#file, relations.values())
    this.#sheetNotes.push(describe(entry, sheet) + (tables.length > 0 ? ` Tables: ${listed(tables, 20)}.` : ''))
    const formulas = sheet.formulas.length > 0 ? { formulas: sheet.formulas.join('\n') } : {}
    const isFull = sheet.cells.isFull || table.length > context.room
    return { part: { ...named, text: text.filter(Boolean).join('\n\n'), ...formulas }, isFull }
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
