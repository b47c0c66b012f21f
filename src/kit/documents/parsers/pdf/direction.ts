import bidiFactory from 'bidi-js'

// Its types describe a default export that Node gives as it is.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

const rightToLeft = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}'
const isRightToLeftLetter = new RegExp(`^[[${rightToLeft}]&&\\p{L}]`, 'v')
const isLetter = /^\p{L}/u
const isDigit = /^\p{Nd}/u

/**
 * A line as people read it, from what is seen from left to right: the reverse of the Unicode bidirectional algorithm.
 * Numbers, with what stands in them, and words of other scripts keep their own direction.
 */
export function inReadingOrder(seen: readonly string[], isReversed: boolean): { text: string; at: number }[] {
  const order = isReversed ? reversedOrder(seen) : usualOrder(seen)
  const written = order.map(({ at }) => ({ text: seen[at] ?? '', at }))
  const turned = order.map(({ at, isMirrored }) => ({
    text: isMirrored ? mirrored(seen[at] ?? '') : (seen[at] ?? ''),
    at,
  }))
  // Some programs, LibreOffice among them, name a bracket as it was written, and not as it is seen.
  return pairsIn(written) > pairsIn(turned) ? written : turned
}

/** How many brackets are opened and closed again. */
function pairsIn(line: readonly { text: string }[]): number {
  const open: string[] = []
  let pairs = 0
  for (const { text } of line) {
    if (opening.has(text)) open.push(mirrored(text))
    else if (open.at(-1) === text) {
      open.pop()
      pairs++
    }
  }
  return pairs
}

const opening = new Set(['(', '[', '{', '«', '‹'])

interface Place {
  at: number
  isMirrored: boolean
}

/** Of a line from right to left: everything is turned round, and numbers and words of other scripts back again. */
function reversedOrder(seen: readonly string[]): Place[] {
  const turned = seen.toReversed().map(mirrored)
  const levels = [...levelsOf(turned, 'rtl')]
  keepPhrases(turned, levels)
  const places: Place[] = []
  for (let start = 0; start < turned.length; ) {
    const isWord = (levels[start] ?? 1) % 2 === 0
    let end = start + 1
    while (end < turned.length && ((levels[end] ?? 1) % 2 === 0) === isWord) end++
    for (let step = 0; step < end - start; step++) {
      const at = isWord ? end - 1 - step : start + step
      places.push({ at: seen.length - 1 - at, isMirrored: !isWord })
    }
    start = end
  }
  return places
}

/** Of a line from left to right: only what is written from right to left is turned round. */
function usualOrder(seen: readonly string[]): Place[] {
  const levels = levelsOf(seen, 'ltr')
  const places: Place[] = []
  for (let start = 0; start < seen.length; ) {
    const isReversed = (levels[start] ?? 0) > 0
    let end = start + 1
    while (end < seen.length && (levels[end] ?? 0) > 0 === isReversed) end++
    const piece = seen.slice(start, end)
    const read = isReversed ? reversedOrder(piece) : piece.map((_, at) => ({ at, isMirrored: false }))
    for (const { at, isMirrored } of read) places.push({ at: start + at, isMirrored })
    start = end
  }
  return places
}

/**
 * `Windows 11` and `11 Windows` look the same in a line from right to left, as do `foo (bar)` and `(bar) foo`: they are
 * read as they are seen. `turned` is the line from its right end on.
 */
function keepPhrases(turned: readonly string[], levels: number[]): void {
  const line = turned.map(classOf).join('')
  for (const { index, 0: phrase } of line.matchAll(/0(?:[0.]*0)? +(?=L)|0[0.]*(?=L)|\([L0][^()R]*\) +(?=L)/g))
    levels.fill(2, index, index + phrase.length)
  // A word that is divided there: `UE-`, and `1501` on the next line.
  const end = line.search(/(?<= )\.L[L0.]*$/)
  if (end !== -1 && turned[end] === '-') levels.fill(2, end)
}

/** One character for each: `L` and `R` for letters, `0` for most digits, brackets and spaces as they are. */
function classOf(character: string): string {
  if (isRightToLeftLetter.test(character)) return 'R'
  if (isLetter.test(character)) return 'L'
  if (isDigit.test(character) && !/^[\u0660-\u0669]/.test(character)) return '0'
  return /^[() ]/.test(character) ? (character[0] ?? '.') : '.'
}

const mirrored = (character: string): string => bidi.getMirroredCharacter(character) ?? character

/** By the algorithm: odd ones are from right to left. */
function levelsOf(characters: readonly string[], direction: 'ltr' | 'rtl'): Uint8Array {
  const line = characters.map((one) =>
    one.length === 1 ? one : isRightToLeftLetter.test(one) ? '\u05d0' : isLetter.test(one) ? 'a' : '\u2606',
  )
  return bidi.getEmbeddingLevels(line.join(''), direction).levels
}

const number = '\\p{Nd}(?:[.,:/\\u066b\\u066c\\u00a0]?\\p{Nd})*'
const signs = '[%$€£¥₪#°\\u066a]*'
// Without an Arabic letter behind them, signs and dashes belong to numbers.
const notArabic = '(?![^\\p{L}]{0,200}(?=\\p{L})\\p{Script=Arabic})'
const word = `(?![${rightToLeft}])\\p{L}`
const kept = new RegExp(
  `${word}(?:[^${rightToLeft}]*(?:${word}|\\p{Nd}))?|${signs}${number}(?:[+-]${number})*${signs}${notArabic}|${number}`,
  'gu',
)
const letter = `[[${rightToLeft}]&&\\p{L}]`
const phrases = new RegExp(`${letter}(?:[^\\p{L}]*(?:${letter}|\\p{M}))*`, 'gv')

/**
 * The characters of a piece of text as they are seen from left to right. The library has put them in an order in which
 * they might be read, without knowing what stands beside the piece.
 */
export function asSeen(text: string, isReversed: boolean): string[] {
  return isReversed ? turnedRound(text) : pieces(text, phrases, turnedRound)
}

const turnedRound = (text: string): string[] => pieces(text, kept, (piece) => [...piece].reverse()).reverse()

/** Characters, with those of some pieces changed. */
function pieces(text: string, which: RegExp, change: (piece: string) => string[]): string[] {
  const characters: string[] = []
  let before = 0
  for (const { index, 0: piece } of text.matchAll(which)) {
    for (const one of text.slice(before, index)) characters.push(one)
    for (const one of change(piece)) characters.push(one)
    before = index + piece.length
  }
  for (const one of text.slice(before)) characters.push(one)
  return characters
}
