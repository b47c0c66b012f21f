/** Chinese characters, kana, and their punctuation: written without spaces. Hangul is not among them. */
const ideograph =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3001-\\u303f\\uff00-\\uffef\\u30fb\\u30fc]'

const spacedIdeographs = new RegExp(`(?<=${ideograph}) +(?=${ideograph})`, 'gu')
const startsIdeograph = new RegExp(`^${ideograph}`, 'u')
const endsIdeograph = new RegExp(`${ideograph}$`, 'u')

/** Latin, Armenian, Hebrew, Arabic and vertical shapes that stand for the letters they are made of. */
const shapes = /[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufb4f\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]/g

/** Invisible: control characters, marks of direction, the byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Bullets of the fonts Symbol and Wingdings, which mean nothing as characters. */
const bullets = /[\uf0b7\uf0a7\uf076\uf0d8\uf06e\uf0fc]/g

/** A text item of the library as people would type it. A soft hyphen stays at its end, where a line may break. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(unseen, '')
    .replace(shapes, (shape) => shape.normalize('NFKC'))
    .replace(bullets, '•')
    .replace(/\u00ad(?!$)/g, '')
    .replace(/[\t\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replace(spacedIdeographs, '')
    .trim()

export const areIdeographs = (before: string, after: string): boolean =>
  endsIdeograph.test(before.slice(-2)) && startsIdeograph.test(after)

const hyphenated = /\p{L}[-\u2010\u00ad]$/u

/** Whether a word continues on the next line. */
export const isDivided = (before: string, after: string): boolean =>
  hyphenated.test(before.slice(-3)) && /^\p{L}/u.test(after)

/** Words after which a hyphen doesn't divide a word: "Ein- und Ausgabe". */
const conjunction = /^(und|oder|bzw|and|or|to|et|ou|y|o|en|of)\b/

/** Joins two lines of a paragraph, and words divided between them. */
export function joinLines(before: string, after: string): string {
  if (hyphenated.test(before.slice(-3))) {
    const isSoft = before.endsWith('\u00ad')
    if (isSoft) return before.slice(0, -1) + after
    if (/^\p{Ll}/u.test(after)) return conjunction.test(after) ? `${before} ${after}` : before.slice(0, -1) + after
    if (/^[\p{Lu}\d]/u.test(after)) return before + after
  }
  return areIdeographs(before, after) ? before + after : `${before} ${after}`
}

const marker = /^([•●▪◦‣■□–—*-]|\(?(\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])(?=\s|$)/

/** How a list item begins: a bullet, `3.`, `(a)`. */
export const markerOf = (text: string): string | undefined => marker.exec(text)?.[0]

/** A bullet as Markdown has it. */
export const withMarkdownBullet = (line: string): string => line.replace(/^[•●▪◦‣■]\s*(?=\S)/u, '- ')
