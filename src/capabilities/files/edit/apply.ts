import { Failure } from '../../../kit/failure.ts'
import type { Newline } from '../../../kit/text/plain-text.ts'
import { cutCharacters } from '../../../kit/text/shown.ts'
import { findByAnchors } from './anchors.ts'
import type { Splice, Wanted } from './places.ts'
import { nearestLines } from './similarity.ts'
import { strategies } from './strategies.ts'

export interface Edit {
  old_string: string
  new_string: string
  replace_all: boolean
}

export interface Applied {
  text: string
  /** The strategy that found it. */
  strategy: string
  places: number
  /** What was there, with LF. */
  replaced: string[]
}

export const unix = (text: string): string => text.replaceAll('\r\n', '\n')

/** Applies one edit. Everything else stays as it is, byte for byte; new lines get the file's line ends. Throws. */
export function applyEdit(text: string, edit: Edit, newline: Newline): Applied {
  const wanted = { old: unix(edit.old_string), new: unix(edit.new_string) }
  if (wanted.old === '') throw invalid('old_string is empty.', 'Use write_file to make a file or replace a whole one.')
  if (wanted.old === wanted.new) throw invalid('old_string and new_string are equal.', 'Say what should change.')
  const plain = unix(text)
  const { strategy, places } = findPlaces(plain, wanted, edit.replace_all)
  const result = spliced(text, places, newline)
  if (result === text) throw invalid('The file already has the new text there.', 'Nothing needs to be done.')
  const replaced = places.map(({ start, end }) => plain.slice(start, end))
  return { text: result, strategy, places: places.length, replaced }
}

interface Found {
  strategy: string
  places: Splice[]
}

/**
 * The first strategy with exactly one match wins, so a stricter one with several matches leaves the choice to a finer
 * one. Several exact matches stay ambiguous: no looser strategy is better than the exact text.
 */
function findPlaces(text: string, wanted: Wanted, all: boolean): Found {
  let several: Found | undefined
  for (const { name, find } of strategies) {
    const places = find(text, wanted)
    if (places.length === 1 || (all && places.length > 0)) return { strategy: name, places }
    if (places.length > 1) several ??= { strategy: name, places }
    if (several?.strategy === 'exact') break
  }
  if (several) throw ambiguous(text, several)
  const { doubt } = findByAnchors(text, wanted)
  throw doubt === undefined ? notFound(text, wanted.old) : new Failure('ambiguous', doubt, beExact)
}

/** Offsets count in the text with LF; a CRLF is one character there and two in the file. */
function spliced(text: string, places: Splice[], newline: Newline): string {
  const returns: number[] = []
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) returns.push(at - returns.length)
  let result = ''
  let from = 0
  let passed = 0
  const original = (position: number): number => {
    while (passed < returns.length && (returns[passed] ?? 0) < position) passed++
    return position + passed
  }
  for (const { start, end, replacement } of places) {
    result += text.slice(from, original(start))
    result += newline === 'CRLF' ? replacement.replaceAll('\n', '\r\n') : replacement
    from = original(end)
  }
  return result + text.slice(from)
}

const beExact =
  'Read the file again and copy the whole block as it is, from its first line to its last; or make several smaller edits.'

const invalid = (fact: string, remedy: string): Failure => new Failure('bad_edit', fact, remedy)

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

function ambiguous(text: string, { strategy, places }: Found): Failure {
  const lines = places.slice(0, 10).map(({ start }) => lineAt(text, start))
  const more = places.length > lines.length ? ', …' : ''
  return new Failure(
    'ambiguous',
    `old_string matches ${places.length} places (${strategy}), on lines ${lines.join(', ')}${more}.`,
    'Add lines before and after it until it matches only one place, or set replace_all.',
  )
}

function notFound(text: string, old: string): Failure {
  const near = nearestLines(text, old).map(
    ({ number, line }) => `\n${number}: ${line.length > 200 ? `${cutCharacters(line, 200)}…` : line}`,
  )
  const hint = near.length > 0 ? ` The nearest lines are:${near.join('')}` : ' Nothing in the file resembles it.'
  return new Failure(
    'text_not_found',
    `old_string is not in the file.${hint}`,
    'Read the file again and copy the text as it is, without the line numbers.',
  )
}
