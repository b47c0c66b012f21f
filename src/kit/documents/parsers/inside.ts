import { Failure } from '../../failure.ts'
import { documentKindOf } from '../../files/document-kind.ts'
import { headBytes, isText } from '../../files/type.ts'
import { decodeText } from '../../text/encoding.ts'
import { oneLine } from '../../text/text.ts'
import type { DocumentPart, ParsedDocument } from '../document.ts'
import { isAboutCut, type ParseInner, type ParseLimits } from '../parse.ts'

/** A file in an archive or a message. */
export interface InnerFile {
  name: string
  size: number
  read(): Promise<Uint8Array>
}

export interface ReadInside {
  parts: DocumentPart[]
  /** For each file, in their order: whether it was read, and if not, why, if that isn't obvious. */
  outcomes: { isRead: boolean; why?: string }[]
  /** What isn't read of those that are, and what a person would see differently: scanned pages, hidden sheets. */
  notes: string[]
}

export const howToRead = 'in sections named after their file; `part` takes the name of a file.'

/** A message in an archive in a message has a depth of two. */
const deepest = 3
const mostFiles = 200
const mostNotes = 30
/** In bytes, of one file. */
const largestFile = 100 * 1024 ** 2
/** The share of the time for all of it. */
const shareOfTime = 0.5

/** Other notes of a file say what it is, which its parts show. */
const worthTelling =
  /not read|damaged|scanned|missing|left out|password|hidden|is wrong|switched off|(?:^|: )Page (?:header|footer):/i

const tooMany = 'there are too many files'
const tooLong = 'reading the others took too long'

/**
 * Reads files in another one as files of their own: their parts are named after them (`contract.docx: page 2`).
 * Programs and pictures aren't read. What can't be read says why and doesn't stop the others.
 */
export async function readInside(
  files: InnerFile[],
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<ReadInside> {
  const depth = (limits.depth ?? 0) + 1
  const startedAt = performance.now()
  const time = (limits.parseMs ?? Number.POSITIVE_INFINITY) * shareOfTime
  const result: ReadInside = { parts: [], outcomes: [], notes: [] }
  let [room, count, characters] = [limits.unpackedBytes, 0, 0]
  const outcomeOf = async (file: InnerFile): Promise<ReadInside['outcomes'][number]> => {
    if (parseInner === undefined) return { isRead: false }
    const left = time - (performance.now() - startedAt)
    if (depth > deepest) return { isRead: false, why: 'it lies too deep' }
    if (count >= mostFiles || result.parts.length >= limits.parts) return { isRead: false, why: tooMany }
    if (left <= 0) return { isRead: false, why: tooLong }
    if (file.size > Math.min(room, largestFile) || characters >= limits.textCharacters)
      return { isRead: false, why: 'it is too large' }
    const bytes = await file.read()
    room -= bytes.length
    const document = await documentIn(
      file.name,
      bytes,
      // A table wouldn't come in portions, so it has no more room than other files.
      { ...limits, tableCharacters: 0, depth, unpackedBytes: room, parseMs: left },
      parseInner,
    )
    if (document === undefined) return { isRead: false }
    count++
    for (const note of document.notes)
      if (isAboutCut(note) || (worthTelling.test(note) && result.notes.length < mostNotes))
        result.notes.push(`In ${oneLine(file.name, 200)}: ${note}`)
    for (const part of namedParts(file.name, document)) {
      result.parts.push(part)
      characters += part.text.length
    }
    return { isRead: true }
  }
  for (const file of files) result.outcomes.push(await outcomeOf(file).catch(failed))
  return result
}

/** Only what was expected: anything else is the whole file's end. */
const failed = (thrown: unknown): { isRead: boolean; why: string } => {
  const why = thrown instanceof Failure ? thrown.message : 'it is damaged'
  return { isRead: false, why: why.replace(/\.$/, '').slice(0, 200) }
}

/** Undefined for what has no text. */
async function documentIn(
  name: string,
  bytes: Uint8Array,
  limits: ParseLimits,
  parseInner: ParseInner,
): Promise<ParsedDocument | undefined> {
  const head = bytes.subarray(0, headBytes)
  const kind = documentKindOf(name, head)
  if (kind === 'image' || bytes.length === 0) return undefined
  if (kind !== undefined) return parseInner({ name, bytes }, limits)
  if (!isText(head)) return undefined
  const text = decodeText(bytes.subarray(0, limits.textCharacters * 4)).text
  return { kind: 'legacy', notes: [], parts: [{ unit: 'section', number: 1, text }] }
}

function namedParts(file: string, { parts }: ParsedDocument): DocumentPart[] {
  return parts.map(({ unit, number, name, ...part }) => {
    const own = name === undefined ? `${unit} ${number}` : name
    const isOnly = parts.length === 1 && unit !== 'sheet'
    return { ...part, unit: unit === 'sheet' ? 'sheet' : 'section', number, name: isOnly ? file : `${file}: ${own}` }
  })
}
