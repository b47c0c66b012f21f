import { counted } from '../../../kit/text/shown.ts'
import type { KnownTool } from '../catalog.ts'
import { plainWords, wordsOf } from './describe.ts'

/**
 * How much of a change is shown, half of it from its beginning and half from its end, and how much of what stands
 * around it.
 */
const shownCharacters = 600
const aroundCharacters = 30
/** Cards cut what is longer, so a long text comes in pieces. */
const pieceCharacters = 150

/**
 * What a person must know before the next call. What is new comes first, because cards cut long lists. The hash makes
 * an approval hold for exactly this change.
 */
export function changeOf(server: string, before: KnownTool, now: NonNullable<KnownTool['changed']>): string[] {
  if (before.hash === '') return allOf(server, now)
  const parameters = ({ parameters }: Pick<KnownTool, 'parameters'>) => JSON.stringify(parameters)
  const takes = differenceOf('its parameters are now', 'before, they were', parameters(before), parameters(now))
  const says = differenceOf('it now says', 'before, it said', wordsOf(before), wordsOf(now))
  const parts = [
    ...(before.destructive && !now.destructive ? ['it no longer says that it may delete or overwrite something'] : []),
    ...takes.fresh,
    ...says.fresh,
    ...takes.old,
    ...says.old,
  ]
  const all = parts.length > 0 || now.destructive !== before.destructive ? parts : ['only in what can’t be seen']
  return [`${server} has changed this tool since it was last approved (${now.hash.slice(0, 12)})`, ...all]
}

/** Nobody knows what it was before, so everything counts as new. */
function allOf(server: string, now: NonNullable<KnownTool['changed']>): string[] {
  const head = `${server} has listed so many tools that some were forgotten, and this may have been another one before`
  return [
    `${head} (${now.hash.slice(0, 12)})`,
    ...around('its parameters are now', [...line(JSON.stringify(now.parameters))], 0, 0),
    ...around('it now says', [...line(wordsOf(now))], 0, 0),
  ]
}

/** Both texts from shortly before their first difference to shortly after their last one. */
function differenceOf(is: string, was: string, before: string, now: string): { fresh: string[]; old: string[] } {
  const [old, fresh] = [[...line(before)], [...line(now)]]
  if (old.join('') === fresh.join('')) return { fresh: [], old: [] }
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start] === fresh[start]) start++
  let end = 0
  while (end < shorter - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++
  return { fresh: around(is, fresh, start, end), old: around(was, old, start, end) }
}

function around(label: string, characters: string[], start: number, end: number): string[] {
  const from = Math.max(0, start - aroundCharacters)
  const to = Math.min(characters.length, characters.length - end + aroundCharacters)
  const part = characters.slice(from, to)
  const half = shownCharacters / 2
  const left = part.length - shownCharacters
  const [first = '', ...others] =
    left > 0
      ? [...pieces(part.slice(0, half)), `[${counted(left, 'more character')}]`, ...pieces(part.slice(-half))]
      : pieces(part)
  return [`${label} “${from > 0 ? '…' : ''}${first}”`, ...others.map((piece) => `then “${piece}”`)]
}

function pieces(characters: string[]): string[] {
  const count = Math.ceil(characters.length / pieceCharacters)
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * pieceCharacters, (at + 1) * pieceCharacters).join(''),
  )
}

const line = (text: string): string => plainWords(text).replace(/\s+/g, ' ').trim()
