import type { OpenDocument } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { counted } from '../../../kit/text/shown.ts'
import type { FileLimits, FilesContext } from '../context.ts'
import { documentFooter } from './document-footer.ts'
import { DocumentPage } from './document-page.ts'
import { linePart } from './page.ts'
import { pathOf, withoutHead } from './part-names.ts'
import { wantedParts } from './wanted-parts.ts'
import { hasOnly, smallerOffset } from './words.ts'

export interface DocumentPlace {
  path: string
  /** `12`, `11-20`, `11-`, or the name of a sheet. */
  part: string | undefined
  /** Line of the first part to begin at, from 1. */
  offset: number
  /** Most lines. */
  limit: number | undefined
  /** From 1. More than 1 shows only the line at `offset`, from this character on. */
  column: number
  formulas: boolean
}

/** Whether the beginning of a document has all that a page of it shows. */
export const showsEnough =
  ({ path, part }: Pick<DocumentPlace, 'path' | 'part'>, { read }: FileLimits) =>
  (beginning: OpenDocument): boolean => {
    try {
      return wantedParts(beginning, path, part).first + read.pdfPages < beginning.parts.length
    } catch (thrown) {
      // What isn't there yet may come.
      if (thrown instanceof Failure) return false
      throw thrown
    }
  }

/** One page of a document's text, and below it what it is, what was shown, and how to read on. */
export async function documentPage(
  document: OpenDocument,
  place: DocumentPlace,
  context: Pick<FilesContext, 'limits' | 'mask'>,
): Promise<string> {
  const { first, last } = wantedParts(document, place.path, place.part)
  if (place.column > 1) return restOfLine(document, first, place, context)
  const page = new DocumentPage(document, context)
  let at = first
  let line = place.offset
  let lines = place.limit ?? Number.POSITIVE_INFINITY
  for (; at <= last && page.hasRoomForPart(); at++, line = 1) {
    const taken = await page.addPart(at, line, lines, place.formulas)
    lines -= taken.lines
    if (taken.next !== undefined) {
      line = taken.next
      break
    }
    if (lines <= 0) {
      at++
      line = 1
      break
    }
  }
  const isBeginning = place.part === undefined && place.offset === 1
  const { hasCutLine } = page
  return page.text(documentFooter(document, place.path, { first, last, at, line, hasCutLine }, isBeginning))
}

async function restOfLine(
  document: OpenDocument,
  index: number,
  { path, offset, column }: DocumentPlace,
  context: Pick<FilesContext, 'limits' | 'mask'>,
): Promise<string> {
  const part = document.parts[index]
  const where = part === undefined ? pathOf(path) : `${part.unit} ${part.number} of ${pathOf(path)}`
  let seen = 0
  for await (const lines of document.lines(index)) {
    const text = lines[offset - 1 - seen]
    const line = { number: offset, text: withoutHead(text ?? ''), cut: false }
    if (text !== undefined) return linePart(line, { path: where, part: part?.number, column }, context)
    seen += lines.length
  }
  throw new Failure('not_found', hasOnly(where, counted(seen, 'line')), smallerOffset)
}
