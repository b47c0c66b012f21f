// Accents, points and invisible characters. й keeps its sign: it is a letter of its own.
const unseen = /(?<!и)[\u0300-\u036f]|[\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u00ad\u200c\u200d]/g

const letters = new Map(Object.entries({ ς: 'σ', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }))

/** Only this much of a longer word counts. */
const maxCharacters = 64

/** A word for comparison: lower case, without accents, full width as half width. */
export function fold(word: string): string {
  const lower = word.toLowerCase()
  if (isPlain(lower)) return lower.slice(0, maxCharacters)
  const plain = word.normalize('NFKD').toLowerCase().replace(unseen, '').normalize('NFC')
  const folded = plain.replace(/[ßæœøłđı]/g, (letter) => letters.get(letter) ?? letter)
  return folded.slice(0, maxCharacters).toWellFormed()
}

/**
 * The same for any text, but in parts: accents that count stay signs of their own, so that a text that is folded piece
 * by piece becomes what the whole does.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').toLowerCase().replace(unseen, '')
  return plain.replace(/[ςßæœøłđı]/g, (letter) => letters.get(letter) ?? letter)
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

// Letters that don't have to be folded: ASCII, Cyrillic, Arabic, kana, ideographs and Hangul.
const plainCharacters =
  /^[ -~\u0430-\u044f\u0621\u0627-\u063a\u0641-\u064a\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7a3]*$/

const isPlain = (text: string): boolean => plainCharacters.test(text)
