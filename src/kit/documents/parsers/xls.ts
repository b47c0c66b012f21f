import { type CellObject, type DefinedName, read, set_cptable, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import * as codepages from '@e965/xlsx/dist/cpexcel.full.mjs'
import { Cells, columnLetters, maxColumns, maxRows } from '../cells.ts'
import { decrypt } from '../decrypt.ts'
import type { DocumentPart, ParsedDocument } from '../document.ts'
import { damaged, type ParseLimits, Parts, passwordNeeded, type SourceFile, tooMuchMemory } from '../parse.ts'
import { drawingsIn } from './xls/drawings.ts'
import { isEncrypted } from './xls/records.ts'
import { describe, hiddenFlag, hiddenMark, listed } from './xlsx/describe.ts'
import { compile, type Show } from './xlsx/format.ts'
import { isUsefulAddress, withAddress } from './xlsx/links.ts'
import type { Sheet } from './xlsx/sheet.ts'
import { oneLine, type SheetEntry } from './xlsx/workbook.ts'

// Old workbooks name one of Windows' codepages for their texts.
set_cptable(codepages)

const maxMerged = 20
const maxSheetNotes = 200
const maxComments = 1000

/**
 * The sheets of an old (.xls) or binary (.xlsb) workbook, as those of an .xlsx are shown. What unpacks it doesn't
 * count bytes, and trusts chains of sectors: check both before. Throws `damaged`, `password_needed`, `password_wrong`.
 */
export async function parseBinaryWorkbook(
  file: SourceFile,
  limits: ParseLimits,
  stream?: Buffer,
): Promise<ParsedDocument> {
  const workbook = await open(file)
  const drawings = stream === undefined || isEncrypted(stream) ? [] : drawingsIn(stream)
  const properties = workbook.Workbook
  const is1904 = properties?.WBProps?.date1904 === true
  const parts = new Parts(limits)
  const notes: string[] = []
  const context = { room: limits.textCharacters, shows: new Shows(is1904) }
  let isCut = false
  for (const [index, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name]
    const entry = { name, visibility: visibilityOf(properties?.Sheets?.[index]?.Hidden) }
    const { note, isFull, ...part } = partOf(entry, sheet, drawings[index] ?? [], context)
    notes.push(note)
    context.room -= part.text.length + (part.formulas?.length ?? 0)
    isCut ||= isFull
    if (!parts.add({ unit: 'sheet', number: index + 1, name, ...hiddenFlag(entry), ...part })) break
  }
  if (parts.list.length === 0) throw damaged('it has no sheets')
  const leftOut = parts.notes()
  if (isCut && leftOut.length === 0) leftOut.push('It is too large to read completely: the rest was left out.')
  return { kind: 'xlsx', notes: [...shortened(notes), ...about(workbook, is1904), ...leftOut], parts: parts.list }
}

async function open({ bytes, password }: SourceFile): Promise<WorkBook> {
  try {
    return workbookIn(bytes)
  } catch (thrown) {
    if (!isProtected(thrown)) throw asFailure(thrown)
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const opened = await decrypt(buffer, password ?? usualPassword).catch((thrown) => {
    throw password === undefined ? passwordNeeded() : thrown
  })
  try {
    return workbookIn(opened)
  } catch (thrown) {
    throw asFailure(thrown)
  }
}

/** What Excel itself uses when a workbook can be opened by everybody, but not changed. */
const usualPassword = 'VelvetSweatshop'

const workbookIn = (bytes: Uint8Array): WorkBook =>
  read(bytes, { type: 'buffer', dense: true, cellText: false, cellHTML: false, cellNF: true, cellStyles: true })

const isProtected = (thrown: unknown): boolean => thrown instanceof Error && /password|encrypt/i.test(thrown.message)

const asFailure = (thrown: unknown): Error => {
  if (isProtected(thrown)) return passwordNeeded()
  const isTooLarge = thrown instanceof RangeError && /allocation|array length/i.test(thrown.message)
  return isTooLarge ? tooMuchMemory() : damaged('its sheets cannot be found', thrown)
}

const visibilityOf = (hidden: number | undefined): SheetEntry['visibility'] =>
  hidden === 2 ? 'very hidden' : hidden === 1 ? 'hidden' : 'visible'

const shortened = (notes: string[]): string[] => {
  const more = notes.length - maxSheetNotes
  return more > 0 ? [...notes.slice(0, maxSheetNotes), `There are ${more} more sheets.`] : notes
}

function about(workbook: WorkBook, is1904: boolean): string[] {
  // The types forget that a name may be hidden.
  const defined: (DefinedName & { Hidden?: boolean })[] = workbook.Workbook?.Names ?? []
  const names = defined
    .filter(({ Name, Hidden, Ref }) => !Hidden && Ref && !/^_xlnm\.|^_FilterDatabase|^Print_/.test(Name))
    .map(({ Name, Ref }) => `${oneLine(Name)}: ${oneLine(Ref).slice(0, 200)}`)
  return [
    names.length > 0 ? `Defined names: ${listed(names, 50, '; ')}.` : '',
    is1904 ? 'Its dates count from 1904; they are shown correctly.' : '',
  ].filter(Boolean)
}

/** How numbers are shown, each format compiled once. */
class Shows {
  readonly #compiled = new Map<string, Show>()
  readonly #is1904: boolean

  constructor(is1904: boolean) {
    this.#is1904 = is1904
  }

  of(format: unknown): Show {
    const text = typeof format === 'string' ? (countryDates.get(format) ?? format) : 'General'
    const known = this.#compiled.get(text)
    if (known !== undefined) return known
    const show = compile(text, this.#is1904)
    this.#compiled.set(text, show)
    return show
  }
}

/** Formats that depend on a reader's country. */
const countryDates = new Map([
  ['m/d/yy', 'yyyy-mm-dd'],
  ['m/d/yy h:mm', 'yyyy-mm-dd h:mm'],
])

interface SheetRoom {
  room: number
  shows: Shows
}

type Entry = Pick<SheetEntry, 'name' | 'visibility'>

function partOf(
  entry: Entry,
  worksheet: WorkSheet | undefined,
  drawings: string[],
  context: SheetRoom,
): Pick<DocumentPart, 'text' | 'formulas'> & { note: string; isFull: boolean } {
  const rows = rowsOf(worksheet)
  if (worksheet === undefined || (worksheet['!type'] !== undefined && worksheet['!type'] !== 'sheet')) {
    const what = worksheet?.['!type'] === 'chart' ? 'holds only a chart' : 'holds no cells'
    return { text: drawings.join('\n\n'), note: `Sheet "${entry.name}"${hiddenMark(entry)} ${what}.`, isFull: false }
  }
  const { sheet, comments } = sheetOf(worksheet, rows, context)
  const table = sheet.cells.toMarkdown(context.room)
  const remarks = comments.length > 0 ? ['Comments:', ...comments].join('\n') : ''
  const text = [table, ...drawings, remarks].filter(Boolean).join('\n\n')
  const formulas = sheet.formulas.length > 0 ? { formulas: sheet.formulas.join('\n') } : {}
  const isFull = sheet.cells.isFull || table.length > context.room
  return { text, ...formulas, note: describe(entry, sheet, drawings.length > 0), isFull }
}

type Row = (CellObject | undefined)[]

const rowsOf = (worksheet: WorkSheet | undefined): (Row | undefined)[] => worksheet?.['!data'] ?? []

function sheetOf(worksheet: WorkSheet, rows: (Row | undefined)[], context: SheetRoom) {
  const sheet: Sheet = {
    cells: new Cells(context.room),
    formulas: [],
    uncalculated: 0,
    hiddenRows: numbered(worksheet['!rows'], ({ hidden }) => hidden === true),
    hiddenColumns: numbered(worksheet['!cols'], ({ hidden }) => hidden === true).map(columnLetters),
    merged: (worksheet['!merges'] ?? []).slice(0, maxMerged + 1).map((range) => utils.encode_range(range)),
    isWhole: true,
  }
  const comments: string[] = []
  let formulaRoom = context.room / 2
  const take = (cell: CellObject, row: number, column: number): void => {
    const name = `${columnLetters(column)}${row}`
    for (const { a: author, t: text } of cell.c ?? [])
      if (comments.length < maxComments) comments.push(commentLine(name, author, text))
    const shown = linked(cell, shownBy(cell, context.shows))
    const formula = cell.f === undefined ? undefined : oneLine(cell.f)
    if (formula !== undefined && formulaRoom > 0) {
      formulaRoom -= name.length + formula.length + 4
      sheet.formulas.push(`${name}: =${formula}`)
    }
    const isUncalculated = formula !== undefined && shown === '' && cell.t !== 's'
    if (isUncalculated) sheet.uncalculated++
    sheet.cells.add(row, column, isUncalculated ? `=${formula}` : shown)
  }
  rows.slice(0, maxRows).forEach((row, index) => {
    if (sheet.cells.isFull) return
    row?.slice(0, maxColumns).forEach((cell, at) => {
      if (cell !== undefined) take(cell, index + 1, at + 1)
    })
  })
  return { sheet, comments }
}

/** Numbers, from 1, of those that fit. */
const numbered = <T>(list: readonly (T | undefined)[] | undefined, fits: (one: T) => boolean): number[] =>
  [...(list ?? []).entries()].flatMap(([index, one]) => (one !== undefined && fits(one) ? [index + 1] : []))

function commentLine(cell: string, author: string | undefined, text: unknown): string {
  const words = oneLine(String(text ?? ''))
  const name = oneLine(author ?? '').slice(0, 100)
  if (name === '' || name === 'Author') return `- ${cell}: ${words}`
  return `- ${cell} (${name}): ${words.startsWith(`${name}:`) ? words.slice(name.length + 1).trim() : words}`
}

function linked({ l: link }: CellObject, shown: string): string {
  const address = link?.Target?.trim() ?? ''
  return isUsefulAddress(address) ? withAddress(shown, address) : shown
}

const errors = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
])

function shownBy({ t: type, v: value, z: format }: CellObject, shows: Shows): string {
  if (value === undefined || value === null || type === 'z') return ''
  if (type === 'b') return value ? 'TRUE' : 'FALSE'
  if (type === 'e') return errors.get(Number(value)) ?? '#ERROR'
  if (typeof value === 'number') return Number.isFinite(value) ? shows.of(format)(value) : ''
  return String(value)
}
