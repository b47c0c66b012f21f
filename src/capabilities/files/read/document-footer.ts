import { basename } from 'node:path'
import type { DocumentKind, OpenDocument, PartEntry } from '../../../kit/documents/document.ts'
import { isAboutCut, isCut } from '../../../kit/documents/parse.ts'
import { quoted } from '../../../kit/text/quoted.ts'
import { counted } from '../../../kit/text/shown.ts'
import { cutUtf8 } from '../../../kit/text/text.ts'
import { filesWords } from '../words.ts'
import { capital, pathOf } from './part-names.ts'
import { lineCut, stillReading } from './words.ts'

/** What to call a kind of file, after "is". */
const kindNames: Record<DocumentKind, string> = {
  pdf: 'a PDF document',
  docx: 'a Word document',
  xlsx: 'an Excel workbook',
  pptx: 'a PowerPoint presentation',
  csv: 'a table of separated values',
  odf: 'an OpenDocument file',
  rtf: 'an RTF document',
  email: 'an e-mail',
  html: 'a web page',
  notebook: 'a notebook',
  contact: 'a file of contacts',
  calendar: 'a calendar',
  epub: 'a book (EPUB)',
  archive: 'an archive',
  image: 'an image',
  legacy: 'a document of an old Office version',
}

/** Bytes that are kept free for what stands below the text, and how many of them notes may take. */
export const footerBytes = 4000
const noteBytes = 2000

/** What was shown. */
export interface Position {
  first: number
  last: number
  /** The part and line to continue from; behind `last` if everything was shown. */
  at: number
  line: number
  /** Of a line only the beginning was shown. */
  hasCutLine: boolean
}

/** What stands below a document's text: what it is, what was shown of it, and how to read on. */
export function documentFooter(
  { kind, notes, parts, reading }: OpenDocument,
  path: string,
  position: Position,
  isBeginning: boolean,
): string {
  // Whoever reads a scanned page must hear why there is no text, or not all of it.
  const shown = parts.slice(position.first, position.line > 1 ? position.at + 1 : position.at)
  // A sheet's notes say what of it isn't seen: hidden rows, formulas without a result.
  const isOfShown = (note: string) => shown.some(({ name }) => isOfSheet(note, name))
  const isScan = kind === 'image' || shown.some(({ characters, isPictured }) => characters === 0 || isPictured)
  const facts = [
    `${pathOf(path)} is ${kindNames[kind]}${sizeOf(parts, reading)}.`,
    ...shownRange(parts, position, reading !== undefined || isCut(notes) || position.hasCutLine),
    ...(position.hasCutLine ? [lineCut] : []),
    ...(reading === undefined ? [] : [stillReading(counted(parts.length, parts[0]?.unit ?? 'part'))]),
    // What was left out must be mentioned wherever the end of the text could be mistaken for the end of the document.
    ...shortened(
      notes.filter((note) => isBeginning || isAboutCut(note) || isOfShown(note) || (isScan && isWarning(note))),
      isOfShown,
    ),
    ...(kind === 'image' ? [filesWords.shownIfNamed({ example: quoted(`#${basename(path)}`) })] : []),
  ]
  return `[${facts.join(' ')}]`
}

/** `In m.msg: In a.xlsx: Sheet "S" …` is about the part `m.msg: a.xlsx: S` of an archive or a message. */
function isOfSheet(note: string, name = ''): boolean {
  if (!note.startsWith('In ')) return note.startsWith(`Sheet "${name}"`)
  const at = Math.max(0, name.lastIndexOf(': '))
  return withoutIn(note).startsWith(withoutIn(`In ${name.slice(0, at)}: Sheet "${name.slice(at + 2)}"`))
}

/** A file's own name may have a colon in it, as the subjects of messages do. */
const withoutIn = (text: string): string => text.replaceAll(/: (?:In )+/g, ': ')

/** An outline has several lines. */
const isWarning = (note: string): boolean => !note.includes('\n')

function sizeOf(parts: PartEntry[], reading: OpenDocument['reading']): string {
  const unit = parts[0]?.unit
  if (reading !== undefined)
    return reading.expected === undefined ? '' : ` of ${counted(reading.expected, unit ?? 'part')}`
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

/**
 * What is missing comes first, then what is about the sheets that are shown, and what is long last: an outline, or the
 * names of many files, may fill all the room.
 */
function shortened(notes: string[], isOfShown: (note: string) => boolean): string[] {
  const rankOf = (note: string): number => {
    if (isAboutCut(note)) return 0
    if (isOfShown(note)) return 1
    return Buffer.byteLength(note) <= noteBytes / 4 ? 2 : 3
  }
  const kept: string[] = []
  let room = noteBytes
  for (const note of notes.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (room <= 0) break
    const bytes = Buffer.byteLength(note)
    kept.push(bytes > room ? `${cutUtf8(note, room)}…` : note)
    room -= bytes
  }
  return kept
}
