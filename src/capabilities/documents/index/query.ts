import { fold } from '../../../kit/documents/chunks/fold.ts'
import { isFrequent } from '../../../kit/documents/chunks/languages.ts'
import { type Terms, termsFor } from '../../../kit/documents/chunks/terms.ts'
import { type Token, tokensIn } from '../../../kit/documents/chunks/tokens.ts'
import { unspaced } from '../../../kit/text/unspaced.ts'

/** One thing to look for. */
export interface Concept {
  /** Folded. */
  written: string
  /** Its forms in the index, any of which will do. */
  terms: string[]
  /** Similar words with their weights; see `widen`. */
  similar: Map<string, number>
  weight: number
  /** A word by itself: parts, endings and typos may match. */
  isWord: boolean
  /** The index contains words that begin with it. */
  isPrefix: boolean
}

/** Words that have to stand side by side. */
export interface Phrase {
  units: string[]
  tokens: Token[]
}

export interface WordQuery {
  concepts: Concept[]
  phrases: Phrase[]
}

/** The most words that are used of one query. */
const maxTokens = 40
const maxCharacters = 2000

/**
 * The weight of the words inside a file number or an address compared with the whole, and of pairs of characters
 * compared with words.
 */
const insideWeight = 0.25
const pairWeight = 0.5

const quoted = /"([^"]+)"|[“„]([^“”„"]+)[”“]|«([^«»]+)»/g

export const hasPhrase = (query: string): boolean => query.search(quoted) !== -1

/** Words, and phrases in quotes. `languages`: those of the searched documents. */
export function wordQueryOf(query: string, languages: string[]): WordQuery {
  const text = query.slice(0, maxCharacters)
  const terms = termsFor(languages)
  const phrases = Array.from(text.matchAll(quoted), ([, ...groups]) => {
    const phrase = groups.find((group) => group !== undefined) ?? ''
    return {
      units: unitsIn(phrase)
        .map(({ unit }) => unit)
        .slice(0, maxTokens),
      tokens: [...tokensIn(phrase)].slice(0, maxTokens),
    }
  }).filter(({ units }) => units.length > 0)
  const tokens = [...tokensIn(text)].slice(0, maxTokens)
  const concepts = tokens.flatMap((token) => conceptsOf(token, tokens, terms))
  const telling = concepts.filter(({ written, isWord }) => !(isWord && isFrequent(written)))
  return { concepts: distinct(telling.length > 0 ? telling : concepts), phrases }
}

function conceptsOf(token: Token, tokens: Token[], terms: Terms): Concept[] {
  const { kind, forms } = token
  const [written = ''] = forms
  const similar = new Map<string, number>()
  const base = { written, similar, weight: 1, isWord: false, isPrefix: false }
  if (kind === 'script') {
    if ([...written].length === 1) return [{ ...base, terms: [fold(written)], isPrefix: true }]
    const words = new Set(terms.segments([written]).filter((word) => [...word].length > 1))
    const pairs = terms.ofScripts([written]).filter((term) => [...term].length === 2 && !words.has(term))
    const one = (term: string, weight: number) => ({
      ...base,
      similar: new Map(),
      written: term,
      terms: [term],
      weight,
    })
    return [...[...words].map((word) => one(word, 1)), ...pairs.map((pair) => one(pair, pairWeight))]
  }
  if (kind !== 'word') return [{ ...base, terms: forms }]
  const isInside = tokens.some((other) => other !== token && other.start <= token.start && other.end >= token.end)
  return [{ ...base, terms: terms.of(token), weight: isInside ? insideWeight : 1, isWord: !isInside }]
}

function distinct(concepts: Concept[]): Concept[] {
  const seen = new Map<string, Concept>()
  for (const concept of concepts) if (!seen.has(concept.written)) seen.set(concept.written, concept)
  return [...seen.values()]
}

export interface Unit {
  unit: string
  start: number
  end: number
}

const letters = /[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+/gu

/** What a phrase is compared by: words as they are written, and single characters in scripts without spaces. */
export function unitsIn(text: string): Unit[] {
  const units: Unit[] = []
  for (const { 0: word, index } of text.matchAll(letters)) {
    if (!unspaced.test(word)) {
      units.push({ unit: fold(word), start: index, end: index + word.length })
      continue
    }
    let at = index
    for (const character of word) {
      units.push({ unit: fold(character), start: at, end: at + character.length })
      at += character.length
    }
  }
  return units.filter(({ unit }) => unit !== '')
}

/** Arabic attaches "and", "so", "with", "as" and "to" to the next word. */
export const prefixed = (word: string): string[] =>
  /^\p{Script=Arabic}/u.test(word) ? Array.from('وفبكل', (letter) => letter + word) : []

const isBegun = (unit: string, wanted: string): boolean =>
  unit === wanted || (unit.endsWith(wanted) && prefixed(wanted).includes(unit))

/** Where a phrase stands in a text. Linear, except for phrases that repeat themselves. */
export function phraseIn(units: Unit[], phrase: string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let at = 0; at + phrase.length <= units.length; at++) {
    if (!isBegun(units[at]?.unit ?? '', phrase[0] ?? '')) continue
    if (!phrase.every((unit, index) => index === 0 || units[at + index]?.unit === unit)) continue
    found.push({ start: units[at]?.start ?? 0, end: units[at + phrase.length - 1]?.end ?? 0 })
    at += phrase.length - 1
  }
  return found
}
