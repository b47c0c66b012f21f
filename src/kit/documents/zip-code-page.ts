/**
 * In which code page an archive's names are that aren't in UTF-8: a zip doesn't say so. Undefined unless it is beyond
 * doubt, since a legible name of a western DOS must stay as it is.
 */
export function codePageOf(names: Uint8Array[]): 'ibm866' | 'shift_jis' | undefined {
  const inCyrillic = names.map((name) => textIn(name, 'ibm866'))
  if (inCyrillic.every((name) => onlyCyrillic.test(name) && !isMixed.test(name)))
    return isRussian(inCyrillic.join('\n')) ? 'ibm866' : undefined
  const inJapanese = names.map((name) => textIn(name, 'shift_jis'))
  if (!inJapanese.every((name) => onlyJapanese.test(name))) return undefined
  const isSure = (name: string, index: number): boolean =>
    !isMixed.test(name) && japaneseWord.test(Buffer.from(names[index] ?? []).toString('latin1'))
  return inJapanese.some(isSure) ? 'shift_jis' : undefined
}

/** Empty if it can't be that. */
function textIn(name: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(name)
  } catch {
    return ''
  }
}

/** As it would be if the other letter were one with an accent, among plain ones. */
const isMixed = /[A-Za-z](?!\p{ASCII})\p{L}|(?!\p{ASCII})\p{L}[A-Za-z]/u

const onlyCyrillic = /^[\p{ASCII}\p{Script=Cyrillic}№]+$/u
const cyrillicWords = /\p{Script=Cyrillic}+/gu

/** Greek and Hebrew would be in both cases at once, and other code pages for Cyrillic would have hardly a vowel. */
function isRussian(names: string): boolean {
  const words = names.match(cyrillicWords) ?? []
  const letters = words.join('')
  const vowels = letters.match(/[аеио]/gi)?.length ?? 0
  return (
    words.every((word) => /^(?:\p{Lu}?\p{Ll}*|\p{Lu}+)$/u.test(word)) &&
    words.some((word) => word.length > 2 && /[аеио]\p{Ll}*$/u.test(word)) &&
    vowels * 4 >= letters.length
  )
}

/** Without the narrow kana, which are most bytes of a Chinese or Korean name. */
const onlyJapanese = /^[\p{ASCII}\u2010-\u2026\u2460-\u2473\u3000-\u30ff\u3231\u4e00-\u9fff\uff01-\uff5e\uffe5]+$/u

/**
 * Three kana or common characters in a row, not all of which end in what is a plain letter by itself: in "örökös",
 * every other one is.
 */
const japaneseWord =
  /(?=(?:..){0,2}.[\x80-\xfc])(?:\x81\x5b|\x82[\x9f-\xf1]|\x83[\x40-\x7e\x80-\x96]|[\x88-\x97][\x40-\x7e\x80-\xfc]){3}/s
