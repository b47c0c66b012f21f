import { counted } from '../../../kit/text/shown.ts'
import { visible } from '../../../kit/text/text.ts'
import type { KnownTool } from '../catalog.ts'
import { mcpWords } from '../words.ts'
import { fitForModel, plainWords, wordsOf } from './describe.ts'

/** How much is shown of what was there before, half of it from its beginning and half from its end. */
const beforeCharacters = 600
/** How much is shown of what stands around a change. */
const aroundCharacters = 30
/** Cards cut what is longer, so a long text comes in pieces. */
const pieceCharacters = 150

type ChangedTool = NonNullable<KnownTool['changed']>

/**
 * What a person must know before the next call. All that is new for models is in it, however long, and comes first,
 * because cards cut long lists. The hash makes an approval hold for exactly this change. `maxBytes`: of parameters that
 * models get.
 */
export function changeOf(server: string, before: KnownTool, now: ChangedTool, maxBytes: number): string[] {
  const seen = fitForModel(now, server, maxBytes)
  if (before.hash === '') return allOf(server, now, seen?.parameters)
  const old = fitForModel(before, server, maxBytes)
  const takes =
    seen === undefined
      ? { fresh: [mcpWords.parametersUnfit()], old: [] }
      : differenceOf(
          'its parameters are now',
          'before, they were',
          JSON.stringify(old?.parameters ?? {}),
          JSON.stringify(seen.parameters),
        )
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
function allOf(server: string, now: ChangedTool, parameters: unknown): string[] {
  const head = `${server} may have had another tool of this name before, and nothing is known of that one here`
  return [
    `${head} (${now.hash.slice(0, 12)})`,
    ...quoted('its parameters are now', pieces(charactersOf(JSON.stringify(parameters ?? {})))),
    ...quoted('it now says', pieces(charactersOf(wordsOf(now)))),
  ]
}

/** Both texts from shortly before their first difference to shortly after their last one, the old one shortened. */
function differenceOf(is: string, was: string, before: string, now: string): { fresh: string[]; old: string[] } {
  const [old, fresh] = [charactersOf(before), charactersOf(now)]
  if (old.join('') === fresh.join('')) return { fresh: [], old: [] }
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start] === fresh[start]) start++
  let end = 0
  while (end < shorter - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++
  const from = Math.max(0, start - aroundCharacters)
  const part = (characters: string[]) => characters.slice(from, characters.length - Math.max(0, end - aroundCharacters))
  const mark = from > 0 ? '…' : ''
  return { fresh: quoted(is, pieces(part(fresh)), mark), old: quoted(was, shortened(part(old)), mark) }
}

const quoted = (label: string, [first = '', ...others]: string[], mark = ''): string[] => [
  `${label} “${mark}${first}”`,
  ...others.map((piece) => `then “${piece}”`),
]

function shortened(characters: string[]): string[] {
  const left = characters.length - beforeCharacters
  if (left <= 0) return pieces(characters)
  const half = beforeCharacters / 2
  return [
    ...pieces(characters.slice(0, half)),
    `[${counted(left, 'more character')}]`,
    ...pieces(characters.slice(-half)),
  ]
}

function pieces(characters: string[]): string[] {
  const count = Math.ceil(characters.length / pieceCharacters)
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * pieceCharacters, (at + 1) * pieceCharacters).join(''),
  )
}

/** What is hidden in names and values reaches models as it is, so people see it by its number. */
const charactersOf = (text: string): string[] => [...plainWords(visible(text)).replace(/\s+/g, ' ').trim()]
