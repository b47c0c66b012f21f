import { segmentsOf } from './segments.ts'
import { unspaced } from './unspaced.ts'

/** Of a longer text, only so many words count. */
const mostParts = 40

/** The words inside one of a script without spaces, as a dictionary splits it. Single characters say too little. */
export function partsOf(word: string): string[] {
  if (!unspaced.test(word)) return []
  const whole = word.normalize('NFC')
  const parts = Array.from(segmentsOf(whole, 'word'), ({ segment }) => segment)
  const telling = parts.filter((part) => part !== whole && unspaced.test(part) && [...part].length > 1)
  return [...new Set(telling)].slice(0, mostParts)
}

const englishEndings = ['s', 'es', 'ed', 'ing', 'ies']
/** What Korean attaches to a noun. */
const particle = /(?:은|는|이|가|을|를|의|에|에서|에게|으로|로|와|과|도|만|까지|부터)$/

/** The word, and then what is left of it without an ending. */
export function formsOf(word: string): string[] {
  if (/^[a-z]+$/i.test(word)) {
    const end = word.toLowerCase()
    const bare = englishEndings.filter((ending) => word.length >= ending.length + 4 && end.endsWith(ending))
    return [word, ...bare.map((ending) => word.slice(0, -ending.length))]
  }
  const noun = word.normalize('NFC').replace(particle, '')
  return /\p{Script=Hangul}{2}$/u.test(noun) && noun !== word.normalize('NFC') ? [word, noun] : [word]
}
