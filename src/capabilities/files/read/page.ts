import { counted, cutCharacters } from '../../../kit/text/shown.ts'
import type { Line } from '../../../kit/text/splitter.ts'
import type { FileLimits, FilesContext } from '../context.ts'

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
    add(line) {
      const shown = numbered(line, lineCharacters, mask)
      text += Math.min(line.bytes, Buffer.byteLength(shown)) + 1
      output += Buffer.byteLength(shown) + 1
      const fits = text <= readBytes + 1 && (whole || output <= outputBytes - footerBytes)
      // One line always fits, or reading would never get past it.
      if (!fits && this.lines.length > 0) return false
      this.lines.push(shown)
      this.badBytes += line.badBytes
      return true
    },
  }
}

/** Masked before it is cut, because nobody would recognize a part of a secret. */
function numbered({ number, text, bytes, cut }: Line, lineCharacters: number, mask: FilesContext['mask']): string {
  if (!cut && text.length <= lineCharacters) return `${number}\t${text}`
  return `${number}\t${cutCharacters(mask(text), lineCharacters)}… [line cut: it has ${counted(bytes, 'byte')}]`
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

function position({ lines, total }: FilePage, path: string, offset: number): string {
  if (total === 0) return `${path} is empty.`
  const last = offset + lines.length - 1
  if (total === undefined)
    return `Lines ${offset} to ${last} of ${path}. There is more: read on with offset ${last + 1}.`
  if (offset > total) return `${path} has only ${counted(total, 'line')}.`
  return `End of ${path}: it has ${counted(total, 'line')}.`
}
