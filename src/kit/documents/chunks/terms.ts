import { fold } from './fold.ts'
import { stemsOf } from './languages.ts'
import type { Token } from './tokens.ts'

/** How many words are kept for one choice of languages: a text repeats its own. */
const keptWords = 20_000
const keptChoices = 8

const choices = new Map<string, Terms>()

/** Shared, as searches see the same words again and again. */
export function termsFor(languages: string[]): Terms {
  const key = languages.join()
  const known = choices.get(key)
  if (known !== undefined) return known
  if (choices.size >= keptChoices) choices.clear()
  const terms = new Terms(languages)
  choices.set(key, terms)
  return terms
}

/** Makes the words of the index: what a token is found by. Its memory is limited. */
export class Terms {
  readonly languages: string[]
  readonly #stems = new Map<string, string[]>()
  // Creating one takes as long as many words.
  readonly #segmenters = new Map<string, Intl.Segmenter>()

  constructor(languages: string[]) {
    this.languages = languages
  }

  /** For the column of words; for a `script` token, for that of segments. */
  of({ kind, forms }: Token): string[] {
    const [written = ''] = forms
    if (kind === 'script') return this.ofScripts([written])
    return kind === 'word' ? this.stems(written) : forms
  }

  /** The words of runs without spaces, as a dictionary splits them, and their pairs of neighbours. */
  ofScripts(runs: string[]): string[] {
    return runs.length === 0 ? [] : [...new Set([...this.segments(runs), ...runs.flatMap(bigrams)])]
  }

  stems(word: string): string[] {
    const known = this.#stems.get(word)
    if (known !== undefined) return known
    if (this.#stems.size >= keptWords) this.#stems.clear()
    const stems = stemsOf(word, this.languages)
    this.#stems.set(word, stems)
    return stems
  }

  #segmenterFor(text: string): Intl.Segmenter {
    const language = /[\u0e00-\u109f\u1780-\u17ff]/.test(text) ? 'th' : 'zh'
    const known = this.#segmenters.get(language)
    if (known !== undefined) return known
    const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
    this.#segmenters.set(language, segmenter)
    return segmenter
  }

  /** All at once: a splitter takes longer to start than to run. */
  segments(runs: string[]): string[] {
    const text = runs.join('\n')
    const segmenter = this.#segmenterFor(text)
    return Array.from(segmenter.segment(text), ({ segment }) => fold(segment).trim()).filter((one) => one !== '')
  }
}

/** Pairs of neighbours, and the last character: how a dictionary splits words depends on what is around them. */
export function bigrams(run: string): string[] {
  const characters = [...foldRun(run)]
  return characters.map((character, index) => character + (characters[index + 1] ?? ''))
}

/** Like `fold`, for a run of any length. */
export function foldRun(run: string): string {
  if (run.length <= 60) return fold(run)
  const pieces: string[] = []
  for (let at = 0; at < run.length; at += 60) pieces.push(fold(run.slice(at, at + 60)))
  return pieces.join('')
}
