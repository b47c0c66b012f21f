import { decoderOf } from '../text/decoder.ts'

/** An encoding that a text without a mark may be in. */
export interface Candidate {
  encoding: string
  /** Its languages usually use this encoding. */
  like?: string
  /** How common it is, as a tie-breaker. */
  bonus: number
  /** Letters that are common in its languages; its other letters are rare. For a single script, a pattern. */
  letters?: RegExp
  /** What texts in them hardly ever contain. */
  unlikely?: RegExp
  /** Its small letters, for one that any bytes may be in: it counts only if several of them are within words. */
  within?: RegExp
  /** For encodings with two bytes a character: the first bytes of common characters. */
  common?: (lead: number, trail: number) => boolean
}

const between = (value: number, first: number, last: number): boolean => value >= first && value <= last

const western = /[äöüßÄÖÜéèêëàâáãåæçíìîïñóòôõøœúùûÉÈÀÂÁÃÅÆÇÍÎÑÓÔÕØŒÚ]/
const central = /[ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽäöüßÄÖÜőűŐŰăâîșşţĂÂÎŞŢđĐôľĺŕ]/
const turkish = /[çğıöşüÇĞİÖŞÜâîû]/
/** A Mac's `Köln` and `Müller` are `Kšln` and `Mźller` here, and no language has both. */
const bothAmongConsonants = /^(?=.*[b-df-hj-np-tv-xz]š[b-df-hj-np-tv-xz]).*[b-df-hj-np-tv-xz]ź[b-df-hj-np-tv-xz]/is
const cyrillic = /[а-яА-ЯёЁіїєґІЇЄҐ]/

export const candidates: Candidate[] = [
  { encoding: 'windows-1252', bonus: 0.08, letters: western },
  { encoding: 'windows-1250', bonus: 0.02, letters: central, unlikely: bothAmongConsonants },
  { encoding: 'iso-8859-2', bonus: 0, letters: central },
  { encoding: 'iso-8859-15', like: 'windows-1252', bonus: 0, letters: western },
  { encoding: 'windows-1254', bonus: 0, letters: turkish },
  { encoding: 'macintosh', bonus: -0.08, letters: western, within: /[\x87-\x9f]/ },
  { encoding: 'ibm850', bonus: -0.1, letters: western, within: /[\x81-\x98\x9b\xa0-\xa4]/ },
  { encoding: 'windows-1251', bonus: 0.04, letters: cyrillic },
  { encoding: 'koi8-r', bonus: 0, letters: cyrillic },
  { encoding: 'ibm866', bonus: -0.02, letters: cyrillic },
  { encoding: 'iso-8859-5', bonus: -0.02, letters: cyrillic },
  { encoding: 'windows-1253', bonus: 0, letters: /[α-ωΑ-ΩάέήίόύώϊϋΐΰΆΈΉΊΌΎΏ]/ },
  { encoding: 'windows-1255', bonus: 0, letters: /[א-ת]/ },
  { encoding: 'windows-1256', bonus: 0, letters: /[ء-ي]/ },
  { encoding: 'windows-874', bonus: -0.1, letters: /[ก-๛]/ },
  { encoding: 'gb18030', bonus: 0.02, common: (lead, trail) => between(lead, 0xb0, 0xd7) && trail >= 0xa1 },
  { encoding: 'big5', bonus: 0, common: (lead) => between(lead, 0xa4, 0xc6) },
  { encoding: 'shift_jis', bonus: 0, common: (lead) => between(lead, 0x82, 0x83) || between(lead, 0x88, 0x97) },
  { encoding: 'euc-jp', bonus: 0, common: (lead) => between(lead, 0xa4, 0xa5) || between(lead, 0xb0, 0xcf) },
  { encoding: 'euc-kr', bonus: 0.04, common: (lead, trail) => between(lead, 0xb0, 0xc8) && trail >= 0xa1 },
]

/** From about -1 to 1: how much the bytes look like text in this encoding. -Infinity if they can't be. */
export function plausibility(bytes: Uint8Array, candidate: Candidate): number {
  let text: string
  try {
    // The end of a sample may cut a character.
    text = decoderOf(candidate.encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return Number.NEGATIVE_INFINITY
  }
  if (/[\x80-\x9f\uE000-\uF8FF]/.test(text)) return Number.NEGATIVE_INFINITY
  const { common, letters, within, unlikely } = candidate
  if (within !== undefined && !areWithinWords(within, bytes)) return Number.NEGATIVE_INFINITY
  const looks = common ? ofPairs(bytes, text, common) : ofLetters(text, letters ?? western)
  return candidate.bonus + looks - (unlikely?.test(text) ? 0.3 : 0)
}

/** Several are, and not only such as often are in texts of Windows: … ‘ ’ “ ” • – — š œ ť ž, or a space. */
function areWithinWords(letters: RegExp, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1')
  const inner = text.match(/(?<=[a-z])[\x80-\xa5](?=[a-z])/gi) ?? []
  const found = inner.filter((byte) => letters.test(byte))
  return found.length > 1 && found.some((byte) => !/[\x85\x91-\x97\x9a\x9c-\x9e\xa0]/.test(byte))
}

/** The share of common characters among all two-byte ones; kana are very likely, a lone one less so. */
function ofPairs(bytes: Uint8Array, text: string, common: (lead: number, trail: number) => boolean): number {
  const half = text.match(/[\uFF61-\uFF9F]/g)?.length ?? 0
  const lone = text.match(loneHalf)?.length ?? 0
  const kana = text.match(/[\u3041-\u30FE]/g)?.length ?? 0
  let pairs = 0
  let end = -1
  let good = (half - lone) * 1.05
  for (let index = 0; index + 1 < bytes.length; index++) {
    const lead = bytes[index] ?? 0
    if (lead < 0x81 || (half > 0 && between(lead, 0xa1, 0xdf))) continue
    const trail = bytes[index + 1] ?? 0
    const isBeside = index === end
    pairs++
    index++
    end = index + 1
    // Such as the sign and the letter of °C.
    const isLone = trail < 0x80 && !isBeside && (bytes[end] ?? 0) < 0x80
    // The first rows of all of them are punctuation and symbols.
    if (common(lead, trail)) good += isLone ? 0.5 : 1
    else good += between(lead, 0xa1, 0xa3) || lead === 0x81 ? 0.6 : -0.5
  }
  const count = pairs + half
  return count === 0 ? 0 : (good + Math.min(kana, count) * 0.1) / count
}

/** Half-width kana without others beside them are rather western signs. */
const loneHalf = /(?<![\u3041-\u9FFF\uFF61-\uFF9F])[\uFF61-\uFF9F](?![\u3041-\u9FFF\uFF61-\uFF9F])/g

const typographic = /[“”„‘’‚–—…€£¥¢°§©®«»•™·¡¿±×÷²³¼½¾ºªµ´\u00a0№›‹]/
/** Signs beside figures, and those of units. */
const ofFigures = /^(?:\d[¢°²³ºª]|m[²³]|.?°[CF]|.?[±¥¼½¾](?!\p{L})|.?[£µ](?:mol|[a-zA-Z])?(?!\p{L}))/u

/** Words have letters of one script, lower case after the first or capitals throughout; signs stand between words. */
function ofLetters(text: string, letters: RegExp): number {
  let count = 0
  let good = 0
  for (const { 0: piece, index } of text.matchAll(/[[\p{L}\p{M}]--µ]+|µ|[^\p{L}\p{M}\p{ASCII}]/gv)) {
    const odd = piece.match(/\P{ASCII}/gu)
    if (odd === null) continue
    count += odd.length
    if (/[µ[^\p{L}\p{M}]]/v.test(piece)) good += ofSign(text, index)
    else good += isWord(piece) && !isBroken(piece, odd.length) ? share(odd, letters) : -0.3 * odd.length
  }
  return count === 0 ? 0 : good / count
}

const share = (odd: string[], letters: RegExp): number =>
  odd.reduce((sum, letter) => sum + (letters.test(letter) ? 1 : -0.2), 0)

function ofSign(text: string, index: number): number {
  const before = text.slice(Math.max(0, index - 3), index)
  const after = text.slice(index, index + 5)
  const isSign = typographic.test(text.charAt(index)) && !isWithinWord(before, after) && !isLetter(before, after)
  if (!isSign) return -0.5
  return ofFigures.test(before.slice(-1) + after) ? 1.2 : 0.9
}

const isWithinWord = (before: string, after: string): boolean =>
  /\p{L}[[^\p{L}\p{ASCII}]--[‘’´–—·\u00a0]]*$/v.test(before) && /^[[^\p{ASCII}]--[‘’´–—·\u00a0]]+\p{L}/v.test(after)

/** In other encodings, some signs are letters, with which words begin or end. */
const isLetter = (before: string, after: string): boolean =>
  (/[\p{L}·]$/u.test(before) && /^[£±µ¼½¾]/.test(after)) ||
  /^(?:[£¥±¼½¾]\p{L}{4}|µ(?!mol)\p{Ll}{2}|[£¥±²³µ¼½¾][[^\p{ASCII}]--[–—·’”×\u00a0]])/v.test(after)

const isWord = (word: string): boolean => /^(\p{Lu}?[\p{Ll}\p{Lo}\p{M}]*|\p{Lu}+)$/u.test(word)

/** Latin words also contain plain letters; words in other scripts don't. */
function isBroken(word: string, odd: number): boolean {
  const isLatin = /\p{Script=Latin}/u.test(word)
  if (isLatin && /[^\p{Script=Latin}\p{M}]/u.test(word)) return true
  return isLatin ? odd > 2 && odd > word.length * 0.7 : odd < word.length
}
