import { segmentsOf } from '../../kit/text/segments.ts'
import { folded, hasSigns } from '../../kit/text/signs.ts'
import { unspaced } from '../../kit/text/unspaced.ts'
import { stem } from '../../kit/text/word-forms.ts'
import type { Skill } from './skill.ts'
import type { Triggers } from './triggers.ts'

/** Why a message brings a skill with it. */
export interface Match {
  name: string
  mode: Triggers['mode']
  /** Rounded to two digits. */
  score: number
}

/** Longer messages are looked at up to here. */
const mostCharacters = 8_000
/** More skills at once would only be in each other's way. */
const mostMatches = 3
/** How much words and phrases count, if both do. */
const shares = { keyword: 0.6, semantic: 0.4 }

/** The skills that a message brings with it, the best first. */
export function matchesFor(message: string, skills: readonly Skill[]): Match[] {
  const able = skills.filter(({ isOn, triggers }) => isOn && triggers !== undefined)
  if (able.length === 0) return []
  const text = message.slice(0, mostCharacters)
  const said = wordsIn(text)
  const rare = rarityAmong(skills)
  const found = able.flatMap((skill): (Match & { share: number })[] => {
    const { mode, threshold, phrases } = skill.triggers as Triggers
    const keyword = phraseScore(text, said, phrases)
    const semantic = mode === 'keyword' ? 0 : likeness(said, wordsIn(`${skill.name} ${skill.facts.description}`), rare)
    const score = { keyword, semantic, hybrid: Math.min(1, keyword) * shares.keyword + semantic * shares.semantic }[
      mode
    ]
    if (score < threshold) return []
    return [{ name: skill.name, mode, score: Math.round(score * 100) / 100, share: score / threshold }]
  })
  return found
    .toSorted((a, b) => b.share - a.share)
    .slice(0, mostMatches)
    .map(({ share: _, ...match }) => match)
}

/** This share of a thread’s places is left to people and the model, who know what they load. */
const keptShare = 1 / 4

/** The matches that are loaded already, and new ones while the thread has room for them. */
export function withRoom(matches: readonly Match[], loaded: readonly string[], inThread: number): Match[] {
  const room = inThread - Math.floor(inThread * keptShare) - loaded.length
  const added = matches.filter(({ name }) => !loaded.includes(name)).slice(0, Math.max(0, room))
  return matches.filter((match) => loaded.includes(match.name) || added.includes(match))
}

/** The weights of the phrases that were said: as whole words, in scripts that have spaces between them. */
function phraseScore(text: string, said: readonly string[], phrases: ReadonlyMap<string, number>): number {
  const [whole, words] = [folded(text), ` ${said.join(' ')} `]
  let score = 0
  for (const [phrase, weight] of phrases) {
    const isSaid = unspaced.test(phrase) ? whole.includes(folded(phrase)) : isSaidIn(whole, words, phrase)
    if (isSaid) score += weight
  }
  return score
}

function isSaidIn(whole: string, words: string, phrase: string): boolean {
  const own = wordsIn(phrase)
  return hasSigns(whole, phrase) && (own.length === 0 ? phrase.trim() !== '' : words.includes(` ${own.join(' ')} `))
}

/** Words of any script in lower case, without the commonest English endings. */
function wordsIn(text: string): string[] {
  return Array.from(segmentsOf(folded(text), 'word'))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => stem(segment))
}

/** How much a word tells: one that each skill's description has tells nothing. */
function rarityAmong(skills: readonly Skill[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { name, facts } of skills)
    for (const word of new Set(wordsIn(`${name} ${facts.description}`))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log((skills.length + 1) / (counts.get(word) ?? 0.5))
}

/** The share of what the message says that the description says, too: 0 to 1. */
function likeness(said: readonly string[], described: readonly string[], rare: (word: string) => number): number {
  const known = new Set(described)
  const words = [...new Set(said)].filter((word) => !common.has(word))
  const weigh = (list: readonly string[]) => list.reduce((sum, word) => sum + rare(word), 0)
  const whole = weigh(words)
  return whole === 0 ? 0 : weigh(words.filter((word) => known.has(word))) / whole
}

const common = new Set(
  'a an and are as at be but by can could do for from has have how i in into is it its me my of on or our please so some that the their them then there this to us was we what when which who will with would you your'.split(
    ' ',
  ),
)
