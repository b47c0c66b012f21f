import type { PlansSettings } from './settings.ts'

export type Grade = 'simple' | 'moderate' | 'complex'

/** How much work a request seems to be, told by its words alone: nobody waits for a model to say so. */
export function gradeOf(text: string, settings: PlansSettings): Grade {
  const steps = stepsIn(text, settings)
  if (steps >= settings.requireFrom) return 'complex'
  return steps >= settings.suggestFrom ? 'moderate' : 'simple'
}

/** About how many steps a request has. */
export function stepsIn(given: string, { signs, words }: PlansSettings): number {
  const text = wordsOf(given)
  const { length, asks, analysis, spans, domains } = signs
  const fields = words.domains.filter((field) => has(text, field)).length
  return (
    1 +
    ([...text.trim()].length > length.characters ? length.steps : 0) +
    weighed(asksIn(text, words.asks) - 1, asks) +
    weighed(foundOf(text, words.analysis).length, analysis) +
    (has(text, words.spans) || datesIn(text) > 1 ? spans.steps : 0) +
    weighed(fields - 1, domains)
  )
}

export const has = (text: string, words: readonly string[]): boolean => foundOf(text, words).length > 0

const weighed = (times: number, { steps, most = Number.POSITIVE_INFINITY }: { steps: number; most?: number }): number =>
  Math.min(most, Math.max(0, times) * steps)

/** What a person said themselves: no code, no quotation, no address. */
const wordsOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .replace(/https?:\/\/\S+/g, ' ')

/**
 * Sentences, lines and points, and parts joined by “and”, that ask for something. Only the first sign of a run is
 * tried, or a long run of dots would take as many tries as it has pairs.
 */
const asksIn = (text: string, words: readonly string[]): number =>
  text
    .split(/(?<![.!?;,\n。！？；，、])[.!?;,\n。！？；，、]+(?=\s|$|[^\d.])|\b(?:and|then|also)\b|然后|并且|以及/iu)
    .filter((part) => /[?？]\s*$/.test(part) || has(part, words)).length

const datesIn = (text: string): number => new Set(text.match(/\b(?:19|20)\d\d\b/g)).size

const isLatin = (word: string): boolean => /^[\p{sc=Latin}\p{N}]/u.test(word)

/** The words of a list that a text has, as whole words where a script has spaces. */
function foundOf(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return words.filter((word) => {
    const wanted = word.toLowerCase()
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1))
      if (
        !isLatin(wanted) ||
        !(/[\p{L}\p{N}]$/u.test(lower.slice(0, at)) || startsWord.test(lower.slice(at + wanted.length)))
      )
        return true
    return false
  })
}

const startsWord = /^[\p{L}\p{N}]/u
