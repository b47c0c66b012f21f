import { documentKindOf } from '../files/document-kind.ts'
import type { DocumentKind } from './document.ts'
import { damaged, notReadable, type ParseLimits, type SourceFile } from './parse.ts'
import { unknownFile } from './unknown.ts'
import { openZip, type Zip } from './zip.ts'

/** What a file is by its content, whatever its name. Throws `damaged`, `not_readable`. */
export async function kindOf({ name, bytes }: SourceFile, limits: ParseLimits): Promise<DocumentKind> {
  const kind = documentKindOf(name, bytes.subarray(0, 16_384))
  if (kind === 'zip') return kindInZip(await openZip(bytes, limits))
  if (kind === 'ole') return 'legacy'
  if (kind !== undefined) return kind
  throw await unknownFile(bytes)
}

async function kindInZip(zip: Zip): Promise<DocumentKind> {
  if (zip.has('word/document.xml')) return 'docx'
  if (zip.has('xl/workbook.xml')) return 'xlsx'
  if (zip.has('ppt/presentation.xml')) return 'pptx'
  const names = zip.entries.map(({ name }) => name)
  const isMended = zip.notes.length > 0
  if (zip.has('[Content_Types].xml') || isMended) {
    // Some programs use another name for their main part.
    if (names.some((name) => name.startsWith('word/'))) return 'docx'
    if (names.some((name) => name.startsWith('xl/'))) return 'xlsx'
    if (names.some((name) => name.startsWith('ppt/'))) return 'pptx'
  }
  if (names.some((name) => /^Index(\.zip$|\/.*\.iwa$)/.test(name)))
    throw notReadable('a document of Apple Pages, Numbers or Keynote', 'Ask for it as PDF or .docx: File, Export To.')
  if (zip.has('META-INF/container.xml') && names.some((name) => name.endsWith('.opf'))) return 'epub'
  if (zip.has('mimetype') && zip.has('content.xml')) return 'odf'
  if (isMended && zip.has('[Content_Types].xml')) throw damaged('its end is missing, and its text with it')
  return 'archive'
}
