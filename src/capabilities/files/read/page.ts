import { Failure } from '../../../kit/failure.ts'
import { counted, cutCharacters } from '../../../kit/text/shown.ts'
import type { Line } from '../../../kit/text/splitter.ts'
import { cutUtf8 } from '../../../kit/text/text.ts'
import type { FileLimits, FilesContext } from '../context.ts'
import {
  columnToReadOn,
  hasOnly,
  lastLines,
  lineFrom,
  nothingThere,
  partOfLine,
  placeOf,
  restOfLine,
  smallerColumn,
} from './words.ts'

/** Bytes that are kept free for what stands below the lines. */
const footerBytes = 600

/** What fits into one result. */
export interface FilePage {
  lines: string[]
  badBytes: number
  /** The file's encoding, if it isn't UTF-8. */
  encoding?: string
  /** How many lines the file has, once its end was reached. */
  total?: number
  /** Of some lines only the beginning is shown. */
  hasCutLines: boolean
  /** False if there is no more room. */
  add(line: Line): boolean
}

/** `whole`: the file itself is within the limits, so the numbers in front of its lines do not count. */
export function emptyPage(
  { limits: { readBytes, outputBytes, lineCharacters }, mask }: Pick<FilesContext, 'limits' | 'mask'>,
  whole: boolean,
): FilePage {
  let text = 0
  let output = 0
  return {
    lines: [],
    badBytes: 0,
    hasCutLines: false,
    add(line) {
      const isCut = line.cut || line.text.length > lineCharacters
      const shown = isCut ? beginning(line, lineCharacters, mask) : `${line.number}\t${line.text}`
      text += Math.min(line.bytes, Buffer.byteLength(shown)) + 1
      output += Buffer.byteLength(shown) + 1
      const fits = text <= readBytes + 1 && (whole || output <= outputBytes - footerBytes)
      // One line always fits, or reading would never get past it.
      if (!fits && this.lines.length > 0) return false
      this.lines.push(shown)
      this.badBytes += line.badBytes
      this.hasCutLines ||= isCut
      return true
    },
  }
}

/** Masked before it is cut, because nobody would recognize a part of a secret. */
function beginning({ number, text, bytes }: Line, lineCharacters: number, mask: FilesContext['mask']): string {
  const shown = cutCharacters(mask(text), lineCharacters)
  const rest = columnToReadOn(placeOf(number), shown.length + 1)
  return `${number}\t${shown}… [line cut: it has ${counted(bytes, 'byte')}; ${rest}]`
}

/** So much more of a line is kept than a page shows, so that no secret is cut where the page ends. */
const marginCharacters = 64 * 1024

/** How much of a line is needed to show it from this column on. */
export const keptCharacters = (column: number, { readBytes }: FileLimits): number =>
  column + readBytes + marginCharacters

/** A part of one line, and how to read on. Columns count in the masked text, so that none begins inside a secret. */
export function linePart(
  { number, text, cut }: Pick<Line, 'number' | 'text' | 'cut'>,
  { path, part, column }: { path: string; part?: number | undefined; column: number },
  { limits, mask }: Pick<FilesContext, 'limits' | 'mask'>,
): string {
  const kept = text.slice(0, keptCharacters(column, limits))
  const rest = mask(kept).slice(column - 1)
  const where = lineFrom(number, path, column)
  if (rest === '') throw new Failure('not_found', nothingThere(where), smallerColumn)
  const shown = cutUtf8(rest, Math.min(limits.readBytes, limits.outputBytes - footerBytes))
  const next = column + shown.length
  const isMore = cut || kept.length < text.length || shown.length < rest.length
  const note = isMore ? partOfLine(where, placeOf(number, part), next) : restOfLine(where, placeOf(number + 1, part))
  return `${number}\t${shown}\n[${note}]`
}

export interface PageSetting {
  path: string
  offset: number
  size: number
  limits: FileLimits
}

/** The page with what the model needs to know below it. */
export function pageText(page: FilePage, { path, offset, size, limits }: PageSetting): string {
  const notes = [position(page, path, offset)]
  if (page.encoding !== undefined) notes.push(`Read as ${page.encoding}.`)
  if (page.badBytes > 0)
    notes.push(
      `Not valid ${page.encoding ?? 'UTF-8'}: ${counted(page.badBytes, 'byte')} of this page could not be read (�).`,
    )
  if (size > limits.searchHintBytes)
    notes.push(`The file has ${counted(size, 'byte')}: search_file finds a place in it faster.`)
  return [...page.lines, `[${notes.join(' ')}]`].join('\n')
}

function position({ lines, total, hasCutLines }: FilePage, path: string, offset: number): string {
  if (total === 0) return `${path} is empty.`
  const last = offset + lines.length - 1
  if (total === undefined)
    return `Lines ${offset} to ${last} of ${path}. There is more: read on with offset ${last + 1}.`
  if (offset > total) return hasOnly(path, counted(total, 'line'))
  const end = `${path}: it has ${counted(total, 'line')}.`
  return hasCutLines ? lastLines(end) : `End of ${end}`
}
