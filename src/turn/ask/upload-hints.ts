import type { WorkspaceFile } from '../../domain/chat.ts'
import { quoted } from '../../kit/text/quoted.ts'

/** What to do with a file of a type. Completes `<path> is `. */
export interface UploadHint {
  /** Such as `a PDF document`. */
  what: string
  /** Names the tool or skill, and what it does. */
  how: string
}

/** More files at once don't need a hint each. */
const mostHints = 20

const found = 'search_file finds a passage in it'
const pages: UploadHint = { what: 'a PDF document', how: `read_file shows its pages as text, ${found}` }
const words: UploadHint = { what: 'a text document', how: `read_file shows its text, ${found}` }
const sheets: UploadHint = {
  what: 'a workbook',
  how: 'read_file shows its sheets as tables, search_file finds rows in it',
}
const slides: UploadHint = { what: 'a presentation', how: `read_file shows its slides as text, ${found}` }
const archive: UploadHint = { what: 'an archive', how: 'read_file lists what is in it; nothing is unpacked' }
const image: UploadHint = { what: 'an image', how: 'read_file tells its format and measures' }
const ooxml = 'application/vnd.openxmlformats-officedocument'

/** By a file's real type (kit/files/type.ts), not its name. Plain text needs no hint. */
const uploadHints: ReadonlyMap<string, UploadHint> = new Map([
  ['application/pdf', pages],
  ['application/msword', words],
  ['application/rtf', words],
  ['application/vnd.oasis.opendocument.text', words],
  [`${ooxml}.wordprocessingml.document`, words],
  ['application/vnd.oasis.opendocument.spreadsheet', sheets],
  [`${ooxml}.spreadsheetml.sheet`, sheets],
  ['application/vnd.oasis.opendocument.presentation', slides],
  [`${ooxml}.presentationml.presentation`, slides],
  ['application/gzip', archive],
  ['application/x-tar', archive],
  ['application/zip', archive],
  ['image/gif', image],
  ['image/jpeg', image],
  ['image/png', image],
  ['image/tiff', image],
  ['image/webp', image],
])

/** A line for each file that something here can read, in the order of the files. */
export function hintsFor(files: WorkspaceFile[], hints: ReadonlyMap<string, UploadHint> = uploadHints): string[] {
  const lines = files.flatMap(({ path, type, size }) => {
    const hint = size > 0 ? hints.get(type) : undefined
    return hint === undefined ? [] : [`${quoted(path)} is ${hint.what}: ${hint.how}.`]
  })
  return lines.slice(0, mostHints)
}
