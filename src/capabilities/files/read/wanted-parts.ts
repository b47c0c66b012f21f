import type { OpenDocument, PartEntry } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { quotedLine } from '../../../kit/text/marks.ts'
import { counted } from '../../../kit/text/shown.ts'
import { pathOf, shortName } from './part-names.ts'

interface Wanted {
  first: number
  last: number
}

/**
 * Indexes of the first and last part that are wanted; `part` is `12`, `11-20`, `11-`, the name of a sheet, or of a file
 * in an archive.
 */
export function wantedParts({ parts, reading }: OpenDocument, path: string, part: string | undefined): Wanted {
  if (part === undefined) return { first: 0, last: Math.max(0, parts.length - 1) }
  const named = partsNamed(parts, part)
  if (named !== undefined && parts[named.first]?.unit === 'sheet') return named
  // Search results, outlines and notes count pages, so a number isn't a label that is printed on one.
  const range = /^(\d+)(?:\s*(-|to|\.\.)\s*(\d+)?)?$/.exec(part.trim())
  const numbered = range === null ? undefined : partsNumbered(parts, range)
  // While it is being read, the one with that number may still come.
  const wanted = numbered ?? (range === null || reading === undefined ? named : undefined)
  if (wanted === undefined) throw noSuchPart(path, part, parts)
  return wanted
}

function partsNamed(parts: PartEntry[], part: string): Wanted | undefined {
  const named = parts.findIndex(({ name }) => name === part)
  if (named !== -1) return { first: named, last: named }
  const ofFile = ({ name }: PartEntry) => name?.startsWith(`${part}: `) === true
  const inside = parts.findIndex(ofFile)
  return inside === -1 ? undefined : { first: inside, last: parts.findLastIndex(ofFile) }
}

function partsNumbered(parts: PartEntry[], [, from, isRange, to]: RegExpExecArray): Wanted | undefined {
  const first = parts.findIndex(({ number }) => number === Number(from))
  if (first === -1) return undefined
  if (isRange === undefined) return { first, last: first }
  const end = to === undefined ? Number.POSITIVE_INFINITY : Number(to)
  const last = parts.findLastIndex(({ number }) => number <= end)
  return { first, last: Math.max(first, last) }
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
