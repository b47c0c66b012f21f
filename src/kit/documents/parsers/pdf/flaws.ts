/** In pixels: smaller ones are rules, bullets and logos. */
const leastSide = 100

/** Places in one file that are looked at. */
const mostPlaces = 50_000

/** In bytes: a stream's dictionary is shorter. */
const dictionaryBytes = 600

/**
 * How many images of some size a PDF has. Nothing is unpacked: the dictionaries of streams are readable in every file.
 * Masks of other images don't count.
 */
export function imagesIn(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Set<string>()
  const masks = new Set<string>()
  let places = 0
  for (let at = file.indexOf('/Image'); at !== -1 && places < mostPlaces; at = file.indexOf('/Image', at + 6)) {
    places++
    const around = file.toString('latin1', Math.max(0, at - dictionaryBytes), at + dictionaryBytes)
    const here = Math.min(at, dictionaryBytes)
    const start = Math.max(around.lastIndexOf(' obj', here), 0)
    const dictionary = around.slice(start, endOf(around, here))
    if (!/\/Subtype\s*\/Image(?![A-Za-z])/.test(dictionary)) continue
    const mask = /\/SMask\s+(\d{1,9}) /.exec(dictionary)?.[1]
    if (mask !== undefined) masks.add(mask)
    const id = /(\d{1,9}) \d{1,5}$/.exec(around.slice(0, start))?.[1]
    if (id !== undefined && !/\/ImageMask\s+true/.test(dictionary) && isLarge(dictionary)) found.add(id)
  }
  return [...found].filter((id) => !masks.has(id)).length
}

const endOf = (text: string, from: number): number => {
  const end = text.indexOf('stream', from)
  return end === -1 ? text.length : end
}

const isLarge = (dictionary: string): boolean =>
  [/\/Width\s+(\d{1,6})/, /\/Height\s+(\d{1,6})/].every((side) => Number(side.exec(dictionary)?.[1] ?? 0) >= leastSide)

export const imageNotes = (count: number): string[] =>
  count === 0
    ? []
    : [count === 1 ? 'It has an image, which is not read.' : `It has ${count} images, which are not read.`]

/** No word of ordinary text is longer. */
const longestWord = 30

/** The share of a page's letters in such words from which on it is said. */
const shareStuck = 0.1

/** More of a page needn't be looked at. */
const enoughCharacters = 20_000

/** Whether many words of a page follow each other without spaces. */
export function isStuck(page: string): boolean {
  const text = page.slice(0, enoughCharacters)
  const letters = text.match(/\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/gu)?.length ?? 0
  const stuck = (text.match(longWords) ?? []).reduce((sum, word) => sum + word.length, 0)
  return stuck > shareStuck * letters
}

const longWords = new RegExp(`[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]{${longestWord},}`, 'gu')
