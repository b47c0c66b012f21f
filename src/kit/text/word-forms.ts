import { segmentsOf } from './segments.ts'
import type { Span } from './span.ts'
import { unspaced } from './unspaced.ts'

/** In a longer text, only this many words count. */
const mostParts = 40

/** The words inside one of a script without spaces, as a dictionary splits it. Single characters say too little. */
export function partsOf(word: string): string[] {
  if (!unspaced.test(word)) return []
  const whole = word.normalize('NFC')
  const parts = Array.from(segmentsOf(whole, 'word'), ({ segment }) => segment)
  const telling = parts.filter((part) => part !== whole && unspaced.test(part) && [...part].length > 1)
  return [...new Set(telling)].slice(0, mostParts)
}

/** Behind what is left of an English word: what is `cut`, what its stem has there, and what its other forms have. */
const inflections = [
  { cut: /(?<=..)(?:ie[sd]?|(?<=[^aeiou])y(?:ing)?)$/, stem: 'y', forms: 'y|ie[sd]?|ying' },
  {
    cut: /(?<=..x|....)(?:(?<!e)ed|(?<=[aeiouy].{0,4})ings?)$|(?<=..x|...[osz]|..[cs]h)es$/,
    stem: '',
    forms: '|e|e?s|ed|ings?',
  },
  { cut: /(?<=....)es?$/, stem: '', forms: 'es?|ed|ings?' },
  // What is left may be another word, such as the “not” of “notes”.
  { cut: /(?<=...)(?:es?|(?<!e)ed|(?<=[aeiouy].{0,4})ings?)$/, stem: 'e', forms: 'es?|ed|ings?' },
  { cut: /(?<=....)(?<![isu])s$/, stem: '', forms: '|s|ed|ings?' },
]

const inflectionOf = (word: string) => inflections.find(({ cut }) => cut.test(word))

/** What an English word has in common with its commonest other forms. */
export function stem(word: string): string {
  const inflection = inflectionOf(word)
  return inflection === undefined ? word : word.replace(inflection.cut, inflection.stem)
}

/** What Korean attaches to a noun. */
const particle = /(?:은|는|이|가|을|를|의|에|에서|에게|으로|로|와|과|도|만|까지|부터)$/

/** A word that is looked for, wherever it stands, or else its `root`: in English, as a whole word or with an ending. */
export interface WordForms {
  word: string
  root?: string
  withEndings?: RegExp
}

/** `fold` is what the text is folded with. */
export function formsOf(written: string, fold = (text: string): string => text): WordForms {
  const word = fold(written)
  if (/^[a-z]+$/.test(word)) {
    const inflection = inflectionOf(word)
    if (inflection === undefined) return { word }
    const root = word.replace(inflection.cut, '')
    return { word, root, withEndings: new RegExp(`(?<!\\p{L})${root}(?:${inflection.forms})(?!\\p{L})`, 'gu') }
  }
  const whole = written.normalize('NFC')
  const noun = whole.replace(particle, '')
  if (noun === whole || !/\p{Script=Hangul}{2}$/u.test(noun)) return { word }
  return { word, root: fold(noun) }
}

/** Another form of a word counts less than the word itself. */
const ofOther = 0.8

/** Where the word stands in a text, `most` of its places, and how much that counts, from 0 to 1. */
export function placesOf(text: string, { word, root, withEndings }: WordForms, most: number) {
  const spans = literally(text, word, most)
  if (spans.length > 0) return { spans, worth: 1 }
  if (root === undefined || !text.includes(root)) return { spans, worth: 0 }
  const others = withEndings === undefined ? literally(text, root, most) : matching(text, withEndings, most)
  return { spans: others, worth: others.length > 0 ? ofOther : 0 }
}

function literally(text: string, word: string, most: number): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(word); at !== -1 && spans.length < most; at = text.indexOf(word, at + word.length))
    spans.push({ start: at, end: at + word.length })
  return spans
}

function matching(text: string, expression: RegExp, most: number): Span[] {
  const spans: Span[] = []
  for (const { 0: found, index: start } of text.matchAll(expression)) {
    spans.push({ start, end: start + found.length })
    if (spans.length >= most) break
  }
  return spans
}
