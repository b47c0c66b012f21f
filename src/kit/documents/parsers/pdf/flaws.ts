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
  const found = new Set<string>()
  const masks = new Set<string>()
  for (const { dictionary, id } of dictionariesIn(bytes)) {
    const mask = /\/SMask\s+(\d{1,9}) /.exec(dictionary)?.[1]
    if (mask !== undefined) masks.add(mask)
    const { width, height } = sizeIn(dictionary)
    const isLarge = Math.min(width, height) >= leastSide
    if (id !== undefined && !/\/ImageMask\s+true/.test(dictionary) && isLarge) found.add(id)
  }
  return [...found].filter((id) => !masks.has(id)).length
}

/** In pixels; 0 if there is none. */
export function largestImage(bytes: Uint8Array): { width: number; height: number } {
  let largest = { width: 0, height: 0 }
  for (const { dictionary } of dictionariesIn(bytes)) {
    const size = sizeIn(dictionary)
    if (size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

function* dictionariesIn(bytes: Uint8Array): Generator<{ dictionary: string; id: string | undefined }> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let places = 0
  for (let at = file.indexOf('/Image'); at !== -1 && places < mostPlaces; at = file.indexOf('/Image', at + 6)) {
    places++
    const around = file.toString('latin1', Math.max(0, at - dictionaryBytes), at + dictionaryBytes)
    const here = Math.min(at, dictionaryBytes)
    const start = Math.max(around.lastIndexOf(' obj', here), 0)
    const dictionary = around.slice(start, endOf(around, here))
    if (!/\/Subtype\s*\/Image(?![A-Za-z])/.test(dictionary)) continue
    yield { dictionary, id: /(\d{1,9}) \d{1,5}$/.exec(around.slice(0, start))?.[1] }
  }
}

const endOf = (text: string, from: number): number => {
  const end = text.indexOf('stream', from)
  return end === -1 ? text.length : end
}

function sizeIn(dictionary: string): { width: number; height: number } {
  const side = (name: RegExp): number => Number(name.exec(dictionary)?.[1] ?? 0)
  return { width: side(/\/Width\s+(\d{1,6})/), height: side(/\/Height\s+(\d{1,6})/) }
}

/** About images that are no scans. `others`: those that another note is about. */
export function imageNotes(count: number, others: number): string[] {
  const left = count - others
  if (left <= 0) return []
  const more = others === 0 ? '' : ' more'
  return left === 1
    ? [`It has ${others === 0 ? 'an' : 'one more'} image, which is not read.`]
    : [`It has ${left}${more} images, which are not read.`]
}

/** The share of a page's characters from which on its font hides what they are. */
const shareMute = 0.03

/**
 * Whether the characters of a page are only numbers in a font that doesn't say which letters it shows. Spaces and
 * figures become control characters then, which are in no text, and all letters become others. Bullets of such a font
 * are all the same character.
 */
export function isMute(texts: readonly string[]): boolean {
  const all = texts.join('').replace(/\s/g, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const found = all.match(/[\u0001-\u0008\u000e-\u001f]/g) ?? []
  return found.length >= shareMute * all.length && new Set(found).size > 1
}

/** No word of ordinary text is longer. */
const longestWord = 30

/** The share of a page's letters in such words from which on it is said. */
const shareStuck = 0.1

/** No more of a page than this has to be looked at. */
const enoughCharacters = 20_000

/** Whether many words of a page follow each other without spaces. */
export function isStuck(page: string): boolean {
  const text = page.slice(0, enoughCharacters)
  const letters = text.match(/\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/gu)?.length ?? 0
  const stuck = (text.match(longWords) ?? []).reduce((sum, word) => sum + word.length, 0)
  return stuck > shareStuck * letters
}

const longWords = new RegExp(`[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]{${longestWord},}`, 'gu')
