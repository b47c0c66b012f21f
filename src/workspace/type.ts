import { isUtf8 } from 'node:buffer'
import { fileTypeFromBuffer } from 'file-type'
import { encodingOf } from './text.ts'

/** Bytes of a file's beginning that are enough to tell its type. */
export const headBytes = 16_384

const textTypes: Record<string, string> = {
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
}

/** Types that are a zip archive or an OLE container inside, which the first bytes alone often do not tell. */
const containerTypes: Record<string, string> = {
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
}

const otherTypes: Record<string, string> = {
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
}

/** What a name promises, for a file that is not here yet. */
export const typeByName = (name: string): string => {
  const extension = extensionOf(name)
  return textTypes[extension] ?? containerTypes[extension] ?? otherTypes[extension] ?? 'application/octet-stream'
}

const containers = new Set(['application/zip', 'application/x-cfb'])

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * The MIME type of a file by what is in it; its name only decides between kinds of text and kinds of container.
 * `head` is its beginning (`headBytes`).
 */
export async function fileType(name: string, head: Uint8Array): Promise<string> {
  const extension = extensionOf(name)
  const detected = await detect(head)
  if (detected && containers.has(detected)) return containerTypes[extension] ?? detected
  if (detected && !(isText(head) && textTypes[extension])) return detected
  return isText(head) ? (textTypes[extension] ?? 'text/plain') : 'application/octet-stream'
}

async function detect(head: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // A head that ends within a structure can end the detection; then what it looks like must do.
    return undefined
  }
}

/** Whether a person could read it: by its first bytes, in any of the encodings that text.ts knows. */
export function isText(head: Uint8Array): boolean {
  const { encoding } = encodingOf(head)
  if (encoding !== 'utf-8') return true
  if (head.includes(0)) return false
  const odd = head.reduce((count, byte) => count + (isOdd(byte) ? 1 : 0), 0)
  // Unmarked Latin-1 and the like are text too; compressed data has one control character in ten bytes.
  return isUtf8(wholeCharacters(head)) ? odd <= head.length / 10 : odd <= head.length / 50
}

/** Control characters other than backspace to carriage return, and escape. */
const isOdd = (byte: number): boolean => byte < 8 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127

/** Without a character that the end of the head cuts. */
function wholeCharacters(head: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, head.length); back++) {
    const byte = head[head.length - back] ?? 0
    if (byte >= 0xc0) return head.subarray(0, head.length - back)
    if (byte < 0x80) break
  }
  return head
}
