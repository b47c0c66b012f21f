import { isUtf8 } from 'node:buffer'
import { countControls, encodingOf, wholeCharacters } from '../text/plain-text.ts'
import { wideEncoding } from '../text/wide-encoding.ts'
import type { FileBytes } from './file-bytes.ts'
import { type Inside, insideOf } from './inside.ts'

/** How many bytes of a file's beginning are enough to tell its type. */
export const headBytes = 16_384

/** A name may end in `.constructor`. */
const tableOf = (types: Record<string, string>) => new Map(Object.entries(types))

const textTypes = tableOf({
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown',
  mjs: 'text/javascript',
  py: 'text/x-python',
  rtf: 'application/rtf',
  sh: 'application/x-sh',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
})

/** Types that are a zip archive or an OLE container inside, which the first bytes often don't reveal. */
const containerTypes = tableOf({
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  epub: 'application/epub+zip',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})

const otherTypes = tableOf({
  gif: 'image/gif',
  gz: 'application/gzip',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
  zip: 'application/zip',
})

/** Types that looking inside tells better. */
const ours = new Set([...containerTypes.values(), 'application/zip', 'application/x-cfb', 'application/java-archive'])

/** What a name promises, for a file that hasn't arrived yet. */
export const typeByName = (name: string): string => {
  const extension = extensionOf(name)
  const promised = textTypes.get(extension) ?? containerTypes.get(extension) ?? otherTypes.get(extension)
  return promised ?? unknownType
}

export const unknownType = 'application/octet-stream'

export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * The MIME type of a file by its content; its name only decides between kinds of text, and where a container gives no
 * answer. `head` is its beginning (`headBytes`); of an archive the end is read too, if `file` is given.
 */
export const fileType = async (name: string, head: Uint8Array, file?: FileBytes): Promise<string> =>
  typeFrom(name, head, await insideOf(head, file))

/** The same for a file whose content is already known. */
export async function typeFrom(name: string, head: Uint8Array, inside: Inside | undefined): Promise<string> {
  const extension = extensionOf(name)
  const detected = await detect(head)
  if (inside !== undefined) {
    const promised = inside.isSure ? undefined : containerTypes.get(extension)
    return inside.type ?? promised ?? (detected && !ours.has(detected) ? detected : inside.container)
  }
  const text = isText(head)
  const known = textTypes.get(extension)
  if (detected && !(text && (known || shortMarks.has(detected)))) return detected
  if (pdfWithin(head)) return 'application/pdf'
  return text ? (known ?? 'text/plain') : unknownType
}

/** Types that are recognised by two letters, which may also begin a text. */
const shortMarks = new Set(['application/x-msdownload', 'image/bmp'])

/** A PDF may have some junk in front; readers search the first 1,024 bytes. */
const pdfWithin = (head: Uint8Array): boolean =>
  !isText(head) && Buffer.from(head.subarray(0, 1024)).toString('latin1').includes('%PDF-')

async function detect(head: Uint8Array): Promise<string | undefined> {
  try {
    // It knows some two hundred formats, so it is loaded with the first file.
    const { fileTypeFromBuffer } = await import('file-type')
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // If the head ends within a structure, detection may fail; then appearance has to do.
    return undefined
  }
}

/** Whether a person could read it: by its first bytes, in any of the encodings that text.ts knows. */
export function isText(head: Uint8Array): boolean {
  const { encoding } = encodingOf(head)
  if (encoding !== 'utf-8') return true
  // UTF-16 without a mark has zeros, but a single one doesn't make it text.
  if (head.includes(0)) return head.indexOf(0) < head.lastIndexOf(0) && wideEncoding(head) !== undefined
  const odd = countControls(head)
  // Unmarked Latin-1 and the like are text too; compressed data has one control character in ten bytes.
  return isUtf8(wholeCharacters(head)) ? odd <= head.length / 10 : odd <= head.length / 50
}
