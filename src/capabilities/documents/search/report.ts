import type { DocumentMatch, DocumentSearch } from '../../../kit/documents/document.ts'
import { unbroken } from '../../../kit/secrets/masked-line.ts'
import { quotedLine } from '../../../kit/text/marks.ts'
import { counted, cutCharacters, shownPath } from '../../../kit/text/shown.ts'
import type { TextMatch } from './text.ts'

export interface SearchReport {
  queries: string[]
  /** How many files were searched. */
  searched: number
  found: DocumentSearch
  notes: string[]
  /** Takes secrets out of a text. */
  mask(text: string): string
}

/** How many failures are listed one by one. */
const mostFailures = 5

/** A title may be as long as a book. */
const nameCharacters = 200

/** The results, best first, and below them what there is to know about the search. */
export function searchReport(
  matches: (DocumentMatch | TextMatch)[],
  { queries, searched, found, notes, mask }: SearchReport,
): string {
  const facts = [
    matches.length === 0
      ? `Nothing found for ${queries.map((query) => quotedLine(query)).join(', ')} in ${counted(searched, 'file')}.`
      : `${counted(matches.length, 'passage')} of ${counted(searched, 'file')}.`,
  ]
  if (found.forgiven.length > 0)
    facts.push(`No exact match; searched instead for: ${found.forgiven.map((word) => quotedLine(word)).join(', ')}.`)
  for (const { path, reason } of found.failures.slice(0, mostFailures))
    facts.push(`${shownPath(path)} could not be searched: ${reason}`)
  if (found.failures.length > mostFailures)
    facts.push(`${found.failures.length - mostFailures} more could not be searched.`)
  if (found.cut.length > 0)
    facts.push(
      `Not all of ${found.cut.slice(0, mostFailures).map(shownPath).join(', ')} could be searched: too large, or damaged.`,
    )
  const { reading = [] } = found
  for (const one of reading.slice(0, mostFailures)) facts.push(stillReading(one))
  if (reading.length > mostFailures)
    facts.push(`${counted(reading.length - mostFailures, 'more file')} still being read.`)
  if (reading.length > 0) facts.push('Search again in a few seconds for the rest.')
  if (found.byWordsOnly !== undefined) facts.push(`${found.byWordsOnly} Only words were searched.`)
  facts.push(...(found.notes ?? []).slice(0, mostFailures))
  facts.push(...notes.map((note) => `${note}.`))
  return [...matches.map((match, index) => shown(match, index, mask)), `[${facts.join(' ')}]`].join('\n\n')
}

function stillReading({ path, unit, done, expected }: NonNullable<DocumentSearch['reading']>[number]): string {
  if (done === 0) return `${shownPath(path)} is still being read and wasn’t searched.`
  if (unit === 'page' && expected !== undefined)
    return `${shownPath(path)} is still being read: ${done} of ${expected} pages were searched.`
  return `${shownPath(path)} is still being read: only its beginning was searched.`
}

function shown(match: DocumentMatch | TextMatch, index: number, mask: SearchReport['mask']): string {
  const score = match.score.toFixed(2)
  if ('lines' in match)
    return `${index + 1}. ${shownPath(match.path)}, line ${match.line} (score ${score})\n${quoted(unbroken(match.lines.join('\n'), mask))}`
  return `${index + 1}. ${shownPath(match.path)}${placeOf(match)} (score ${score})\n${quoted(unbroken(match.passage, mask))}`
}

function placeOf({ unit, number, name, isHidden, cells, isRecognized }: DocumentMatch): string {
  const called = name === undefined ? '' : ` ${quotedLine(cutCharacters(name, nameCharacters))}`
  const within = cells === undefined ? '' : `, ${cells.includes(':') ? 'cells' : 'cell'} ${cells}`
  const hidden = isHidden ? ' (hidden)' : ''
  return `, ${unit} ${number}${called}${hidden}${within}${isRecognized ? ', recognized from a picture' : ''}`
}

/** Indented, so that no passage looks like another result. */
const quoted = (text: string): string => text.replace(/^/gm, '> ')
