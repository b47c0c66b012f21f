import type { OpenDocument, PartEntry } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { quotedLine } from '../../../kit/text/marks.ts'
import { counted } from '../../../kit/text/shown.ts'
import { pathOf, shortName } from './part-names.ts'

/**
 * Indexes of the first and last part that are wanted; `part` is `12`, `11-20`, `11-`, the name of a sheet, or of a file
 * in an archive.
 */
export function wantedParts(
  { parts }: OpenDocument,
  path: string,
  part: string | undefined,
): { first: number; last: number } {
  const end = Math.max(0, parts.length - 1)
  if (part === undefined) return { first: 0, last: end }
  const named = parts.findIndex(({ name }) => name === part)
  if (named !== -1) return { first: named, last: named }
  const ofFile = ({ name }: PartEntry) => name?.startsWith(`${part}: `) === true
  const inside = parts.findIndex(ofFile)
  if (inside !== -1) return { first: inside, last: parts.findLastIndex(ofFile) }
  const range = /^(\d+)(?:\s*(-|to|\.\.)\s*(\d+)?)?$/.exec(part.trim())
  const first = range === null ? -1 : parts.findIndex(({ number }) => number === Number(range[1]))
  if (range === null || first === -1) throw noSuchPart(path, part, parts)
  if (range[2] === undefined) return { first, last: first }
  const to = range[3] === undefined ? Number.POSITIVE_INFINITY : Number(range[3])
  return {
    first,
    last: Math.max(
      first,
      parts.findLastIndex(({ number }) => number <= to),
    ),
  }
}

function noSuchPart(path: string, part: string, parts: PartEntry[]): Failure {
  const unit = parts[0]?.unit ?? 'part'
  const names = parts.flatMap(({ name }) => (name === undefined ? [] : [quotedLine(shortName(name))])).slice(0, 30)
  const known = names.length > 0 && unit === 'sheet' ? ` They are named ${names.join(', ')}.` : ''
  return new Failure(
    'no_such_part',
    `${pathOf(path)} has no ${unit} ${quotedLine(shortName(part))}: it has ${counted(parts.length, unit)}.${known}`,
    `Give a number such as "3", or a range such as "3-5"${unit === 'sheet' ? ', or the name of a sheet' : ''}.`,
  )
}
