/** Of each kind of character after each other: small letter, capital, digit, sign. */
const kinds = [
  [-0.8, 1.6, 3.4, -0.5],
  [0.6, -0.4, 2.3, -1.4],
  [2.2, 1.5, -1.2, -2.4],
  [-0.2, -0.2, 2.4, 3.4],
]

/** How rare each letter (a to z) is after each other one: 0 for `th`, 3 for `qx`. */
const rareness =
  '21002112121000213000112112 12221322112122123112133313 01110220130112022110123313 12110122022122123112122213 ' +
  '01001112122000111000111013 12221123033122123111132313 13220221133121123111133322 03320322132222133121132323 ' +
  '11001112232010012100212131 23331333233233333313232333 22120223133222223212222333 01210222032022023211112212 ' +
  '01110223132112113213132323 02000102131121113200112223 11102113121100103011111223 02210221131122013011122313 ' +
  '33333333233233333333133333 02110212031111012110112312 12120111031011111200121212 02110120031112013011122112 ' +
  '11111112132110213110223233 13220223131313223222333233 13221332133231133122233333 23121233132222313221333223 ' +
  '22232233233211213211332333 23331332233323133323232333'
const rows = rareness.split(' ').map((row) => [...row].map(Number))
const weights = [-1.7, -0.1, 2.2, 4.6]

const isBetween = (code: number, first: number, last: number): boolean => code >= first && code <= last
/** a to z, A to Z, 0 to 9 */
const kindOf = (code: number): number =>
  isBetween(code, 97, 122) ? 0 : isBetween(code, 65, 90) ? 1 : isBetween(code, 48, 57) ? 2 : 3

/**
 * How much likelier a text is a row of random characters than words, a name or an abbreviation: the natural logarithm
 * of the ratio. The figures are those of 130,000 names in programs, and of words in a dozen languages.
 */
export function randomness(text: string): number {
  let sum = 0
  for (let at = 1; at < text.length; at++) {
    const [before, after] = [kindOf(text.charCodeAt(at - 1)), kindOf(text.charCodeAt(at))]
    sum += kinds[before]?.[after] ?? 0
    // A capital after a small letter begins another word.
    if (before < 2 && after < 2 && !(before === 0 && after === 1)) sum += weights[rarenessOf(text, at)] ?? 0
  }
  return sum
}

const rarenessOf = (text: string, at: number): number => rows[letter(text, at - 1)]?.[letter(text, at)] ?? 0

const letter = (text: string, at: number): number => (text.charCodeAt(at) | 32) - 97
