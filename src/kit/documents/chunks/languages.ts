import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import type { ParsedDocument } from '../document.ts'
import { fold } from './fold.ts'

const stemmers = new Map([
  ...Object.entries({ english, german, french, spanish, italian, portuguese, dutch, swedish, danish, norwegian }),
  ...Object.entries({ finnish, russian, ukrainian }),
])

/** The words that identify a language, folded. They also say little about what a text is about. */
const frequent = new Map(
  Object.entries({
    english:
      'the of and to in is that it for was on are with as be at by this have from or which what how when who does',
    german:
      'der die das und ist nicht ein eine zu den von mit dem des auf fur im sich als auch es an werden aus wird was wie wer bei',
    french: 'le la les des et est un une du en que qui dans pour pas sur au par il ce sont avec aux quel quelle',
    spanish: 'el la los las de y es un una en que del por con para se no su al lo como son cual donde',
    italian: 'il la lo gli le di e un una che del della per con non si sono nel da al quale come',
    portuguese: 'o a os as de e um uma em que do da por com para nao se ao dos das no na sao qual como',
    dutch: 'de het een en van in is dat op te zijn met voor niet aan er ook bij worden wat wie hoe',
    swedish: 'och att det som en av for inte den till med pa ar om har ett de vad hur',
    danish: 'og at det som en af for ikke den til med pa er om har et de hvad der',
    norwegian: 'og at det som en av for ikke den til med pa er om har et de hva',
    finnish: 'ja on ei se etta oli han mutta kun myos tai joka ovat',
    russian: 'и в не на что с по как это от для или о из за к при его',
    ukrainian: 'і в не на що з по як це від для або та до за при його є',
  }).map(([language, words]) => [language, new Set(words.split(' '))] as const),
)

const everyFrequentWord = new Set([...frequent.values()].flatMap((words) => [...words]))

/** `word` is folded. */
export const isFrequent = (word: string): boolean => everyFrequentWord.has(word)

/** Languages that join several words into one. */
const compounding = new Set(['german', 'dutch', 'swedish', 'danish', 'norwegian', 'finnish'])

export const compounds = (languages: string[]): boolean => languages.some((language) => compounding.has(language))

/** How many characters of a document's beginning, middle and end are used to identify its language. */
const sampleCharacters = 6000

/** If no language is identified, as in a list of names. */
const unsure = ['english', 'german', 'french', 'spanish']

/** The languages that make up a good share of a document, the most common first. */
export function languagesOf({ parts }: Pick<ParsedDocument, 'parts'>): string[] {
  const texts = [0, 1, 2, parts.length >> 1, parts.length - 1].map((index) => parts[index]?.text ?? '')
  const counts = new Map<string, number>()
  for (const text of new Set(texts)) {
    const from = Math.max(0, (text.length - sampleCharacters) >> 1)
    for (const [word] of text.slice(from, from + sampleCharacters).matchAll(/[\p{L}\p{M}]+/gu)) {
      const folded = fold(word)
      for (const [language, words] of frequent)
        if (words.has(folded)) counts.set(language, (counts.get(language) ?? 0) + 1)
    }
  }
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a)
  const most = ranked[0]?.[1] ?? 0
  if (most < 3) return unsure
  return ranked
    .filter(([, count]) => count > most * 0.6)
    .map(([language]) => language)
    .slice(0, 3)
}

const arabicArticle = /^(?:[وفبك]?ال|لل)(?=.{3})/

/** What is indexed for a folded word: its stem in each of the languages. Never empty. */
export function stemsOf(word: string, languages: string[]): string[] {
  if (word.length < 3 || word.length > 30) return [word]
  if (/\p{Script=Arabic}/u.test(word)) return [arabic(word.replace(arabicArticle, ''))]
  if (/\p{Script=Greek}/u.test(word)) return [greek(word)]
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u.test(word)) return [word]
  const cyrillic = /\p{Script=Cyrillic}/u.test(word)
  const fitting = languages.filter((one) => (one === 'russian' || one === 'ukrainian') === cyrillic)
  const asked = fitting.length > 0 ? fitting : [cyrillic ? 'russian' : 'english']
  // A stemmer may leave nothing of an odd word.
  return [...new Set(asked.map((language) => stemmers.get(language)?.(word) || word))]
}
